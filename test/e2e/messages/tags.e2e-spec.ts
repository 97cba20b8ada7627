import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

describe('Messages by tag', () => {
  let service: TestService;
  let account: TestAccount;
  let secret: string;
  /** Oldest first: every third has the tag `may`. */
  const ids: string[] = [];

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    await account.verifySender('shop@example.com');
    ({ secret } = await account.createKey());
    for (let i = 0; i < 12; i++) {
      service.clock.advance({ seconds: 1 });
      const tags = i % 3 === 0 ? ['may', `n${i}`] : i % 3 === 1 ? ['june'] : undefined;
      ids.push(await sendEmail(service, secret, { text: 'Hello', subject: `Order ${i}`, tags }));
    }
    await service.query(`UPDATE message_logs SET status = 'sent' WHERE id = $1`, [ids[3]]);
    await service.query(`DELETE FROM pending_deliveries WHERE message_id = $1`, [ids[3]]);
  });
  afterAll(() => service.stop());

  const may = () => [9, 6, 3, 0].map((i) => ids[i]);
  const list = async (query: object, of = account) => {
    const { body } = await of.asMember('get', '/api/messages').query(query).expect(200);
    return body as { items: { id: string; tags: string[] }[]; nextCursor: string | null };
  };
  const idsOf = async (query: object) => (await list(query)).items.map(({ id }) => id);

  it('are listed newest first, page by page', async () => {
    expect(await idsOf({ tag: 'may' })).toEqual(may());
    const first = await list({ tag: 'may', limit: 3 });
    expect(first.items.map(({ id }) => id)).toEqual(may().slice(0, 3));
    expect(first.items[0]?.tags).toEqual(['may', 'n9']);
    const second = await list({ tag: 'may', limit: 3, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ id: ids[0] }], nextCursor: null });
    expect(await idsOf({ tag: 'May' })).toEqual([]);
  });

  it('combine with the other filters', async () => {
    expect(await idsOf({ tag: 'may', status: 'sent' })).toEqual([ids[3]]);
    expect(await idsOf({ tag: 'may', status: 'queued,sending' })).toEqual([9, 6, 0].map((i) => ids[i]));
    expect(await idsOf({ tag: 'may', search: 'order 6' })).toEqual([ids[6]]);
    expect(await idsOf({ tag: 'may', channel: 'sms' })).toEqual([]);
    expect(await idsOf({ tag: 'may', from: '2100-01-01' })).toEqual([]);
  });

  it('are counted by status', async () => {
    const aggregate = async (query: object) =>
      (await account.asMember('get', '/api/messages/aggregate').query(query).expect(200)).body;
    expect(await aggregate({ tag: 'may' })).toMatchObject({ total: 4, status: { queued: 3, sent: 1 } });
    expect(await aggregate({ tag: 'may', status: 'sent' })).toMatchObject({ total: 1 });
    expect(await aggregate({ tag: 'n3' })).toMatchObject({ total: 1 });
    expect(await aggregate({ tag: 'none' })).toMatchObject({ total: 0 });
    await service.query(`UPDATE pending_deliveries SET lease_ends_at = now() WHERE message_id = $1`, [ids[0]]);
    expect(await aggregate({ tag: 'may' })).toMatchObject({ total: 4, status: { queued: 2, sending: 1, sent: 1 } });
  });

  it('are those of the account and key only', async () => {
    const other = await service.createAccount();
    expect((await list({ tag: 'may' }, other)).items).toEqual([]);
    const key = await account.createKey();
    const { body } = await service.request('get', '/api/messages?tag=may').set('X-API-Key', key.secret).expect(200);
    expect(body.items).toEqual([]);
  });

  it('are not looked up by something that is no tag', async () => {
    const fault = badRequest('tag must be 1 to 50 letters, digits, underscores and hyphens');
    for (const path of ['/api/messages', '/api/messages/aggregate'])
      await account.asMember('get', path).query({ tag: 'two words' }).expect(400, fault);
  });
});
