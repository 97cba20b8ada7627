import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RetainMessages } from '../../../src/modules/messages/application/retain-messages.service.js';
import type { TestKey } from '../../support/account.js';
import { SENDER } from '../../support/relay-fixture.js';
import { SimulatorFixture } from '../../support/simulator-fixture.js';

const MAIL = { attachments: [{ filename: 'a.txt', content: Buffer.from('Hello').toString('base64') }] };

describe('The contents of test messages', () => {
  let fixture: SimulatorFixture;
  let live: TestKey;
  let test: TestKey;

  beforeAll(async () => {
    fixture = await SimulatorFixture.start();
    const account = await fixture.service.createAccount();
    await account.verifySender(SENDER);
    live = await account.createKey();
    test = await account.createKey({ mode: 'test' });
  });
  afterAll(() => fixture.stop());

  const purge = () => fixture.service.app.get(RetainMessages, { strict: false }).purgeExpired();
  const stored = async (ids: string[]) => {
    const contents = 'SELECT message_id AS id FROM message_contents WHERE message_id = ANY ($1)';
    const files = 'SELECT group_id AS id FROM message_attachments WHERE group_id = ANY ($1)';
    const rows = await fixture.service.query<{ id: string }>(`${contents} UNION ALL ${files} ORDER BY id`, [ids]);
    return rows.map(({ id }) => id);
  };

  it('are purged after two days, once they are delivered; those of live messages stay', async () => {
    const scheduledAt = new Date(fixture.service.clock.now().getTime() + 5 * 86_400_000).toISOString();
    const [sent, ours, scheduled] = [
      await fixture.send(test, 'ada@example.org', MAIL),
      await fixture.send(live, 'ada@simulator.test', MAIL),
      await fixture.send(test, 'bob@example.org', { ...MAIL, scheduledAt }),
    ];
    await fixture.complete(test, sent);
    const ids = [sent, ours, scheduled];
    const twice = (...kept: string[]) => kept.flatMap((id) => [id, id]).sort();
    fixture.service.clock.advance({ days: 1.9 });
    const fresh = await fixture.send(test, 'ada@example.org', MAIL);
    await purge();
    expect(await stored(ids)).toEqual(twice(...ids));
    fixture.service.clock.advance({ days: 0.2 });
    await purge();
    expect(await stored([...ids, fresh])).toEqual(twice(ours, scheduled, fresh));
    const { body } = await fixture.service
      .request('get', `/api/messages/${sent}`)
      .set('X-API-Key', test.secret)
      .expect(200);
    expect(body).toMatchObject({ id: sent, status: 'delivered' });
    await fixture.service.query('DELETE FROM pending_deliveries WHERE message_id = $1', [scheduled]);
    await purge();
    expect(await stored([...ids, fresh])).toEqual(twice(ours, fresh));
  });
});
