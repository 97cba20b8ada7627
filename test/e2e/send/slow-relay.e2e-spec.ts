import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RelayFixture } from '../../support/relay-fixture.js';
import { SlowRelay } from '../../support/slow-relay.js';
import { waitFor } from '../../support/wait-for.js';

/** Accounts and mails with which most of the memory for large attachments is in use. */
const SLOW_ACCOUNTS = 5;
const MAILS = 2;
const BYTES = 9 * 1_048_576;

const attachments = [{ filename: 'a.bin', content: Buffer.alloc(BYTES).toString('base64') }];

describe('A relay that reads large mails slowly', () => {
  let fixture: RelayFixture;
  let slow: SlowRelay;

  beforeAll(async () => {
    slow = await SlowRelay.start();
    fixture = await RelayFixture.start();
  });
  afterAll(async () => {
    await slow.stop();
    await fixture.stop();
  });

  async function openWithSlowRelay() {
    const opened = await fixture.open();
    const smtp = { host: '127.0.0.1', port: slow.port };
    await opened.account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    await opened.account.verifySendersAgain();
    return opened;
  }

  it('does not hold up those of other accounts, although it does not end', async () => {
    for (let i = 0; i < SLOW_ACCOUNTS; i++) {
      const account = await openWithSlowRelay();
      for (let mail = 0; mail < MAILS; mail++) await account.send({ text: 'Hello', attachments });
    }
    await waitFor('slow transactions', () => slow.begun === SLOW_ACCOUNTS * MAILS);
    const other = await fixture.open();
    const small = await other.send({ text: 'Hello', attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }] });
    await other.reaches(small, 'sent', 1);
    const large = await other.send({ text: 'Hello', attachments });
    await waitFor('the large mail', async () => (await other.read(large)).status === 'sent');
    expect(slow.begun).toBe(SLOW_ACCOUNTS * MAILS);
  });
});
