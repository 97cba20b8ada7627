import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestKey } from '../../support/account.js';
import { SmtpClient } from '../../support/smtp-client.js';
import { SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

describe('A mail submitted by SMTP with a test key', () => {
  let fixture: SubmissionFixture;
  let key: TestKey;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
    const account = await fixture.service.createAccount();
    key = await account.createKey({ mode: 'test' });
  });
  afterAll(() => fixture.stop());

  const MAIL = ['From: anybody@example.net', 'To: ada@example.org', 'Subject: Hello', '', 'Hello'].join('\r\n');

  it('is simulated, without a verified sender', async () => {
    const client = await SmtpClient.login(fixture.port, key.secret);
    await client.expect('MAIL FROM:<anybody@example.net>', 250);
    await client.expect('RCPT TO:<ada@example.org>', 250);
    await client.expect('DATA', 354);
    const reply = await client.expect(`${MAIL}\r\n.`, 250);
    const id = /Queued as (c[a-z0-9]{24})/.exec(reply)?.[1] ?? '';
    const message = await waitFor('its submission', async () => {
      const path = `/api/messages/${id}`;
      const { body } = await fixture.service.request('get', path).set('X-API-Key', key.secret).expect(200);
      return body.sentAt !== null && body;
    });
    expect(message).toMatchObject({ test: true, provider: 'simulator', to: 'ada@example.org' });
    expect(fixture.relay.connections).toBe(0);
    await client.close();
  });

  it('is refused for a recipient that is suppressed in simulations', async () => {
    const client = await SmtpClient.login(fixture.port, key.secret);
    await client.expect('MAIL FROM:<anybody@example.net>', 250);
    const reply = await client.expect('RCPT TO:<suppressed@example.org>', 550);
    expect(reply).toContain('5.7.1 suppressed@example.org is suppressed');
    await client.close();
  });
});
