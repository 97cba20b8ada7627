import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { postEmail } from '../../support/send-email.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

describe('GET /api/messages/:id/source', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let secret: string;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ relay, service } = fixture);
    const sender = await fixture.open();
    ({ account } = sender);
    ({ secret } = sender.key);
  });
  afterAll(() => fixture.stop());

  const source = (id: string) => account.asMember('get', `/api/messages/${id}/source`);

  it('shows the mail as it was sent', async () => {
    const { body } = await postEmail(service, secret, {
      html: '<p>Grüße</p>',
      headers: { 'X-Order': '4711' },
      cc: ['books@example.org'],
      attachments: [{ filename: 'a.txt', content: Buffer.from('a file').toString('base64') }],
    }).expect(201);
    const mails = await waitFor('two mails', () => relay.received().length === 2 && relay.received());
    const { raw } = mails.find(({ envelope }) => envelope.to[0] === 'ada@example.org')!;
    const shown = await source(body.messageLogId).expect(200);
    expect(shown.body).toEqual({ isKept: true, source: raw });
  });

  it('shows the beginning of a large attachment', async () => {
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(100_000).toString('base64') }];
    const { body } = await postEmail(service, secret, { text: 'Hello', attachments }).expect(201);
    const shown = await source(body.messageLogId).expect(200);
    expect(shown.body.source).toMatch(/AAAA\r\n\[98860 more bytes\]\r\n--/);
    await service.query('DELETE FROM message_contents WHERE message_id = $1', [body.messageLogId]);
    await source(body.messageLogId).expect(200, { isKept: false, source: null });
  });
});
