import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { PendingDeliveryRepository } from '../../../src/modules/messages/index.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import { inHours, makeDue } from '../../support/schedules.js';
import { waitFor } from '../../support/wait-for.js';

const TOO_DEEP = 'html is nested more than 256 levels deep';

describe('A body of a megabyte of HTML', () => {
  let fixture: RelayFixture;
  let shop: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    shop = await fixture.open();
  });

  it.each(['<b>', '<ul>', '<svg>', '<table><tr><td>'])(
    'is refused if it repeats %s without end tags',
    async (piece) => {
      const html = piece.repeat(Math.floor(999_000 / piece.length));
      const { body } = await shop.post({ html }).expect(400);
      expect(body).toEqual(errorBody(400, TOO_DEEP));
    },
  );

  it('is refused if a template and its variables make it too deep', async () => {
    const template = { name: 'Deep', subject: 'Hi', html: '{{#levels}}<div>{{/levels}}x', text: null };
    const { body } = await shop.account.asAdmin('post', '/api/templates').send(template).expect(201);
    const variables = { levels: Array.from({ length: 300 }, () => ({})) };
    const answer = await shop.post({ templateId: body.id, variables }).expect(400);
    expect(answer.body.message).toBe(TOO_DEEP);
  });

  /** 50 of them are claimed at once. */
  it('is not read with the claim, as a short one is', async () => {
    const deliveries = fixture.service.app.get(PendingDeliveryRepository, { strict: false });
    const html = '<p>Häuser</p>'.repeat(6_000);
    const scheduledAt = inHours(1);
    const long = await shop.send({ html, scheduledAt });
    const short = await shop.send({ html: '<p>Short</p>', scheduledAt });
    await makeDue(fixture.service, [long, short]);
    const claimed = await deliveries.claim(shop.account.id, [long, short]);
    const claimOf = (id: string) => claimed.find((message) => message.id === id)!;
    expect(claimOf(short)).toMatchObject({ html: '<p>Short</p>', text: null, unreadBytes: 0 });
    expect(claimOf(long)).toMatchObject({ html: null, text: null, unreadBytes: Buffer.byteLength(html) });
    expect(await deliveries.texts(claimOf(long))).toEqual({ html, text: null });
  });

  /** A parser that builds a tree takes half a minute for this. */
  it('is sent with its text if it is not nested, and does not delay other mail', async () => {
    const html = '<ul><li>Item</ul>'.repeat(58_000);
    await shop.send({ html, to: 'long@example.org' });
    await shop.send({ html: '<p>Short</p>' });
    await waitFor('both', () => fixture.relay.received().length === 2);
    const mail = fixture.relay.received().find(({ envelope }) => envelope.to[0] === 'long@example.org')!;
    expect(mail.parsed.text!.startsWith(' * Item\n\n * Item\n\n')).toBe(true);
    expect((mail.parsed.html as string).trimEnd()).toBe(html);
  });
});
