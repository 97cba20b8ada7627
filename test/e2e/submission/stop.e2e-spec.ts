import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { SENDER } from '../../support/relay-fixture.js';
import type { SmtpClient } from '../../support/smtp-client.js';
import { SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const MAIL = `From: ${SENDER}\r\nTo: ada@example.org\r\nSubject: Hi\r\n\r\nHello`;

describe('A stop of the service while clients submit mails', () => {
  let fixture: SubmissionFixture;

  beforeEach(async () => {
    fixture = await SubmissionFixture.start({ SHUTDOWN_GRACE_MS: '300' });
  });
  afterEach(() => fixture.stop());

  async function inData(): Promise<SmtpClient> {
    const client = await fixture.login();
    await client.expect(250, `MAIL FROM:<${SENDER}>`);
    await client.expect(250, 'RCPT TO:<ada@example.org>');
    await client.expect(354, 'DATA');
    client.write(MAIL);
    return client;
  }

  const isAccepting = async () => {
    const rows = await fixture.service.query(
      `SELECT FROM pg_locks WHERE relation = 'message_contents'::regclass AND NOT granted`,
    );
    return rows.length > 0;
  };

  it('aborts a mail that does not arrive in time, and lets one that has arrived get its reply', async () => {
    const [sending, arrived] = [await inData(), await inData()];
    let stopped: Promise<void> | undefined;
    await fixture.service.hold(async () => {
      await fixture.service.query('LOCK TABLE message_contents IN ACCESS EXCLUSIVE MODE');
      arrived.write('\r\n.\r\n');
      await waitFor('the mail to be accepted', isAccepting);
      stopped = fixture.service.app.close();
      expect(await sending.reply()).toEqual({ code: 421, text: 'The service is stopping' });
      await sending.untilClosed();
      expect([arrived.unread, arrived.isClosed]).toEqual(['', false]);
    });
    expect((await arrived.reply()).code).toBe(250);
    expect((await arrived.reply()).code).toBe(421);
    await stopped;
  });
});
