import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

describe('Webhook attempts', () => {
  let fixture: WebhookFixture;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await WebhookFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    account = await fixture.service.createAccount();
  });

  it('keep the first kilobyte of the response', async () => {
    const { id, path } = await fixture.addEndpoint(account);
    await fixture.receiver.answer(path, { status: 404, body: 'é'.repeat(5_000) });
    await fixture.fire(account);
    const { attempts } = await fixture.waitForState(account, id, 'failed_permanent', 1);
    expect(attempts[0]!.responseBody).toBe('é'.repeat(512));
  });

  it('keep the first headers of the response, without what PostgreSQL cannot store and without cookies', async () => {
    const { id, path } = await fixture.addEndpoint(account);
    const headers = {
      'X-Request-Id': 'r-1',
      'Set-Cookie': 'session=secret',
      'X-Text': Buffer.from('grüße').toString('latin1'),
      'X-Bytes': 'a\xff\x80',
      'X-Long': 'x'.repeat(3_000),
      ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`X-Header-${n}`, 'v'])),
    };
    await fixture.receiver.answer(path, { status: 404, headers });
    await fixture.fire(account);
    const { attempts } = await fixture.waitForState(account, id, 'failed_permanent', 1);
    const kept = attempts[0]!.responseHeaders!;
    expect(kept).toMatchObject({
      'x-request-id': 'r-1',
      'set-cookie': '[redacted]',
      'x-text': 'grüße',
      'x-bytes': 'a\ufffd\ufffd',
      'x-long': 'x'.repeat(1_024),
    });
    expect(Object.keys(kept)).toEqual(
      Object.keys(headers)
        .slice(0, 50)
        .map((name) => name.toLowerCase()),
    );
  });
});
