import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SENDER } from '../../support/relay-fixture.js';
import type { SmtpClient } from '../../support/smtp-client.js';
import { idIn, SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const TO = 'ada@example.org';

describe('A mail that is submitted again', () => {
  let fixture: SubmissionFixture;
  let client: SmtpClient;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
    client = await fixture.login();
  });
  afterAll(async () => {
    client.close();
    await fixture.stop();
  });

  const mail = ({ id = '<m1@example.com>', body = 'Hello', more = [] as string[] } = {}) =>
    [`From: ${SENDER}`, `To: ${TO}`, 'Subject: Hi', ...(id ? [`Message-ID: ${id}`] : []), ...more, '', body].join(
      '\r\n',
    );
  const submit = async (text: string, to = [TO]) => idIn((await client.submit(SENDER, to, text)).text);

  it('gets the first id if Message-ID, recipients and body are the same, whatever its other headers are', async () => {
    const first = await submit(mail());
    expect(await submit(mail())).toBe(first);
    expect(await submit(mail({ more: ['Date: Mon, 1 Jun 2026 10:00:00 +0200', 'X-Retry: 1'] }))).toBe(first);
    const others = [
      await submit(mail({ body: 'Hello again' })),
      await submit(mail({ id: '<m2@example.com>' })),
      await submit(mail(), ['grace@example.org']),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
    expect(await submit(mail(), ['grace@example.org', TO.toUpperCase()])).toBe(first);
  });

  it('is recognised by its parts, although its boundaries are others', async () => {
    const composed = (boundary: string, { text = 'Hello', filename = 'a.csv', type = 'mixed' } = {}) => {
      const parts = [
        `Content-Type: multipart/alternative; boundary=${boundary}i\r\n\r\n--${boundary}i\r\n\r\n${text}`,
        `--${boundary}i\r\nContent-Type: text/html\r\n\r\n<p>${text}</p>\r\n--${boundary}i--`,
        `--${boundary}\r\nContent-Type: text/csv; name=${filename}\r\n\r\n${'1;2\r\n'.repeat(20_000)}`,
      ];
      const more = [`Content-Type: multipart/${type}; boundary="${boundary}"`];
      const body = `--${boundary}\r\n${parts.join('\r\n')}\r\n--${boundary}--`;
      return mail({ id: '<m8@example.com>', more, body });
    };
    const first = await submit(composed('one'));
    expect(await submit(composed('two'))).toBe(first);
    const others = [
      await submit(composed('one', { text: 'Hi' })),
      await submit(composed('one', { filename: 'b.csv' })),
      await submit(composed('one', { type: 'related' })),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
  });

  it('goes only to the recipients who have not got it yet, and shows them all', async () => {
    const [bob, eve] = ['bob@example.org', 'eve@example.org'];
    const text = mail({ id: '<m6@example.com>' });
    const show = async (id: string) =>
      (await fixture.sender.account.asMember('get', `/api/messages/${id}`).expect(200)).body;
    const first = await submit(text, [TO, bob]);
    const copies = (await show(first)).copies;
    expect(await submit(text, [TO])).toBe(first);
    expect(await submit(text, [bob])).toBe(copies[0].messageLogId);
    expect(await submit(text, [bob, TO])).toBe(first);
    const more = await submit(text, [TO, bob, eve]);
    expect(await show(more)).toMatchObject({ to: eve, role: 'bcc' });
    expect((await show(more)).copies).toBeUndefined();
    const delivered = await waitFor('the mail to eve', () =>
      fixture.relay.received().find(({ envelope }) => envelope.to[0] === eve),
    );
    expect(delivered.raw).toContain(`To: ${TO}\r\n`);
    const counted = `SELECT count(*)::integer AS count FROM message_logs WHERE recipient IN ('${bob}', '${eve}')`;
    expect(await fixture.service.query(counted)).toEqual([{ count: 2 }]);
  });

  it('is one message to each recipient even if sessions submit it to different ones at once', async () => {
    const text = mail({ id: '<m7@example.com>' });
    const recipients = ['r1@example.org', 'r2@example.org', 'r3@example.org'];
    const sessions = await Promise.all(
      Array.from({ length: 6 }, (_, i) => fixture.login({ localAddress: `127.0.0.${30 + i}` })),
    );
    const replies = await Promise.all(
      sessions.map((session, i) => session.submit(SENDER, recipients.slice(0, 1 + (i % 3)), text)),
    );
    for (const session of sessions) session.close();
    expect(replies.map(({ code }) => code)).toEqual(replies.map(() => 250));
    const stored = "SELECT recipient FROM message_logs WHERE recipient ~ '^r[123]@' ORDER BY recipient";
    expect(await fixture.service.query(stored)).toEqual(recipients.map((recipient) => ({ recipient })));
  });

  it('is one message to each recipient if sessions have different first ones, and wait for the same counters', async () => {
    const text = mail({ id: '<m9@example.com>' });
    const both = 'both@example.org';
    const sessions = await Promise.all([40, 41, 42].map((n) => fixture.login({ localAddress: `127.0.0.${n}` })));
    const holder = await fixture.service.database.pool.connect();
    try {
      await holder.query('BEGIN; SELECT FROM daily_usage FOR UPDATE');
      const replies = [['x1@example.org', both], ['x2@example.org', both], [both]].map((to, i) =>
        sessions[i]!.submit(SENDER, to, text),
      );
      await waitFor('the sessions to wait for the counters', async () => {
        const waiting = await fixture.service.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%daily_usage%'`,
        );
        return waiting.length >= 2;
      });
      await holder.query('COMMIT');
      expect((await Promise.all(replies)).map(({ code }) => code)).toEqual([250, 250, 250]);
    } finally {
      holder.release(true);
      for (const session of sessions) session.close();
    }
    const stored = "SELECT recipient FROM message_logs WHERE recipient ~ '^(x[12]|both)@' ORDER BY recipient";
    expect(await fixture.service.query(stored)).toEqual(
      [both, 'x1@example.org', 'x2@example.org'].map((recipient) => ({ recipient })),
    );
  });

  it('is another one without a Message-ID, and after 24 hours', async () => {
    expect(await submit(mail({ id: '' }))).not.toBe(await submit(mail({ id: '' })));
    const first = await submit(mail({ id: '<m3@example.com>' }));
    fixture.service.clock.advance({ hours: 25 });
    expect(await submit(mail({ id: '<m3@example.com>' }))).not.toBe(first);
  });

  it('is recognised by its idempotency key, which is valid for one mail', async () => {
    const key = ['X-Service-Idempotency-Key: order-1'];
    const first = await submit(mail({ id: '', more: key }));
    expect(await submit(mail({ id: '', more: key }))).toBe(first);
    const other = await client.submit(SENDER, [TO], mail({ id: '', more: key, body: 'Other' }));
    expect(other).toEqual({ code: 554, text: 'Idempotency-Key was used for another request within 24 hours' });
  });

  it('gets the first id although its recipient is suppressed and the limit reached meanwhile', async () => {
    const { account } = fixture.sender;
    const text = mail({ id: '<m4@example.com>' });
    const first = await submit(text, ['late@example.org']);
    await fixture.service.query('UPDATE accounts SET daily_send_cap = 1 WHERE id = $1', [account.id]);
    try {
      expect(await submit(text, ['late@example.org'])).toBe(first);
    } finally {
      await fixture.service.query('UPDATE accounts SET daily_send_cap = 1000 WHERE id = $1', [account.id]);
    }
  });

  it.each([
    ['its recipient', [TO]],
    ['each of its recipients', [TO, 'b@example.org', 'c@example.org']],
  ])('is one message to %s even if it is submitted by several sessions at once', async (_, recipients) => {
    const text = mail({ id: `<m5.${recipients.length}@example.com>` });
    const sessions = await Promise.all(
      Array.from({ length: 10 }, (_, i) => fixture.login({ localAddress: `127.0.0.${10 + i}` })),
    );
    const count = async () => (await fixture.service.query('SELECT FROM message_logs')).length;
    const before = await count();
    const replies = await Promise.all(sessions.map((session) => session.submit(SENDER, recipients, text)));
    for (const session of sessions) session.close();
    expect(new Set(replies.map((reply) => idIn(reply.text))).size).toBe(1);
    expect(await count()).toBe(before + recipients.length);
  });
});
