import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { TEST_CONTENT_BYTES_PER_DAY } from '../../../src/config/limits.js';
import type { TestKey } from '../../support/account.js';
import { SmtpClient } from '../../support/smtp-client.js';
import { idIn, SubmissionFixture } from '../../support/submission-fixture.js';
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
    const { code, text } = await client.submit('anybody@example.net', ['ada@example.org'], MAIL);
    expect(code).toBe(250);
    const message = await waitFor('its submission', async () => {
      const path = `/api/messages/${idIn(text)}`;
      const { body } = await fixture.service.request('get', path).set('X-API-Key', key.secret).expect(200);
      return body.sentAt !== null && body;
    });
    expect(message).toMatchObject({ test: true, provider: 'simulator', to: 'ada@example.org' });
    expect(fixture.relay.connections).toBe(0);
    client.close();
  });

  it('is refused for a recipient whose suppression is simulated', async () => {
    const client = await SmtpClient.login(fixture.port, key.secret);
    await client.expect(250, 'MAIL FROM:<anybody@example.net>');
    const reply = await client.send('RCPT TO:<suppressed@example.org>');
    expect(reply).toEqual({ code: 550, text: '5.7.1 suppressed@example.org is suppressed' });
    client.close();
  });

  it('is deferred once the limit of test content is reached', async () => {
    const client = await SmtpClient.login(fixture.port, key.secret);
    expect((await client.submit('anybody@example.net', ['ada@example.org'], MAIL)).code).toBe(250);
    await fixture.service.query('UPDATE daily_usage SET test_bytes = $1', [TEST_CONTENT_BYTES_PER_DAY]);
    const reply = await client.submit('anybody@example.net', ['bob@example.org'], MAIL);
    expect(reply).toEqual({ code: 452, text: '4.7.1 Daily limit of 200 MB of test content reached' });
    client.close();
  });
});
