import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { sendEmail } from '../../support/send-email.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

describe('A relay that announces the size of mails it accepts', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let secret: string;

  beforeAll(async () => {
    fixture = await RelayFixture.start({}, { maxSize: 50_000 });
    ({ relay, service } = fixture);
    const sender = await fixture.open();
    ({ account } = sender);
    ({ secret } = sender.key);
  });
  afterAll(() => fixture.stop());

  async function outcomeWith(bytes: number) {
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(bytes).toString('base64') }];
    const id = await sendEmail(service, secret, { text: 'Hello', attachments });
    return waitFor('the outcome', async () => {
      const { body } = await account.asMember('get', `/api/messages/${id}`).expect(200);
      return !['queued', 'sending'].includes(body.status) && body;
    });
  }

  it('gets smaller mails, and no larger one: that message fails at once, with the limit', async () => {
    const failed = await outcomeWith(60_000);
    expect(failed.status).toBe('failed');
    expect(failed.error).toMatch(/^The mail has 8\d{4} bytes, and the relay accepts at most 50000$/);
    expect(await outcomeWith(30_000)).toMatchObject({ status: 'sent' });
    expect(relay.received()).toHaveLength(1);
  });
});
