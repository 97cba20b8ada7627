import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SuppressAddresses, UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const GIVEN = 'Ada.Lovelace@BÜCHER.example';
const NORMALISED = 'ada.lovelace@xn--bcher-kva.example';

describe('A suppressed address', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const listed = async () => {
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    return (body.items as { address: string | null }[]).map(({ address }) => address);
  };
  const stored = () =>
    service.query('SELECT address, given_address AS given FROM suppressions WHERE account_id = $1', [account.id]);
  const suppress = (email: string) => account.asAdmin('post', '/api/suppressions').send({ email });
  const unsubscribe = async () => {
    await account.verifySender('shop@example.com');
    const { secret } = await account.createKey();
    const { body } = await postEmail(service, secret, { to: GIVEN, text: 'Hello' }).expect(201);
    const links = service.app.get(UnsubscribeLinks, { strict: false });
    const messageId = body.messageLogId as string;
    const link = new URL(links.linkTo({ accountId: account.id, messageId, email: NORMALISED, topicId: null }));
    await service.request('post', link.pathname).expect(200);
  };
  const report = () =>
    service.app
      .get(SuppressAddresses, { strict: false })
      .suppress([
        { accountId: account.id, channel: 'email', address: GIVEN, reason: 'complained', source: 'provider' },
      ]);

  it.each<[string, () => PromiseLike<unknown>]>([
    ['by a user', () => suppress(` ${GIVEN} `).expect(201)],
    [
      'by a list',
      () =>
        account
          .asAdmin('post', '/api/suppressions/import')
          .set('Content-Type', 'text/csv')
          .send(`${GIVEN}\n${NORMALISED}\n`),
    ],
    ['by its contact', () => account.asAdmin('post', '/api/contacts').send({ email: GIVEN, status: 'unsubscribed' })],
    ['by the link in a message to it', unsubscribe],
    ['by a provider', report],
  ])('is shown as it was given, and compared in any spelling: %s', async (_, act) => {
    await act();
    expect(await stored()).toEqual([{ address: NORMALISED, given: GIVEN }]);
    expect(await listed()).toEqual([GIVEN]);
    const { body } = await suppress(NORMALISED.toUpperCase()).expect(200);
    expect(body.address).toBe(GIVEN);
    const { text } = await account.asMember('get', '/api/suppressions/export').buffer(true).expect(200);
    expect(text.split('\n')[1]).toMatch(new RegExp(`^${GIVEN},email,`));
    const [event] = await service.query('SELECT data FROM outbox_events WHERE account_id = $1', [account.id]);
    expect(event).toMatchObject({ data: { email: NORMALISED } });
  });

  it('keeps its first spelling when another cause replaces the first one', async () => {
    await suppress(NORMALISED).expect(201);
    await report();
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    expect(body.items).toMatchObject([{ address: NORMALISED, reason: 'complained' }]);
  });

  it('is kept in no spelling once its contact is erased', async () => {
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email: GIVEN }).expect(201);
    await suppress(GIVEN).expect(201);
    await account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
    expect(await stored()).toEqual([{ address: null, given: null }]);
    expect(await listed()).toEqual([null]);
  });
});
