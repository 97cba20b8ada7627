import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventKey } from '../../../src/modules/messages/index.js';
import { idTime } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { ProviderEvents } from '../../support/provider-events.js';
import { KEYS, SIGN } from '../../support/vendor-posts.js';

describe('The ids of provider events', () => {
  let events: ProviderEvents;
  let account: TestAccount;

  beforeAll(async () => {
    events = await ProviderEvents.start();
    account = await events.service.createAccount();
    const smtp = { host: 'relay.example', port: 587, vendor: 'generic', eventSigningKey: KEYS.generic };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
  });
  afterAll(() => events.stop());

  const report = async (reported: object | object[]) => {
    const { body, headers } = SIGN.generic(reported);
    expect((await events.postSmtp(account, body, headers)).status).toBe(200);
  };
  const idsOf = async (messageId: string): Promise<string[]> => {
    const { body } = await account.asMember('get', `/api/messages/${messageId}`).expect(200);
    return (body.events as { id: string }[]).map(({ id }) => id);
  };

  it('sort by the time of recording', async () => {
    const messageLogId = await events.addMessage(account);
    const before = events.service.clock.now();
    const opened = { type: 'opened', messageLogId, data: { userAgent: 'Mozilla/5.0' } };
    for (const [i, id] of ['one', 'two', 'three'].entries()) {
      events.service.clock.advance({ seconds: 1 });
      await report([
        { ...opened, id, occurredAt: `2026-11-21T07:00:0${2 * i}Z` },
        { ...opened, id: `${id} more`, occurredAt: `2026-11-21T07:00:0${2 * i + 1}Z` },
      ]);
    }
    const ids = await idsOf(messageLogId);
    expect(ids).toHaveLength(6);
    expect(ids).toEqual([...ids].sort());
    for (const id of ids) {
      expect(idTime(id).getTime()).toBeGreaterThan(before.getTime());
      expect(idTime(id).getTime()).toBeLessThanOrEqual(events.service.clock.now().getTime());
    }
  });

  it('are not used to recognise repeated reports', async () => {
    const messageLogId = await events.addMessage(account);
    const clicked = { id: 'again', type: 'clicked', messageLogId, data: { url: 'https://example.com' } };
    await Promise.all(Array.from({ length: 5 }, () => report({ ...clicked, occurredAt: '2026-11-21T07:00:00Z' })));
    await report([clicked, clicked]);
    expect(await events.state(account, messageLogId)).toMatchObject({ clicks: 1, events: [{ type: 'clicked' }] });
  });

  it('do not affect events that were recorded with their keys as ids', async () => {
    const messageLogId = await events.addMessage(account);
    await events.service.query(
      `INSERT INTO email_events (message_id, id, type, occurred_at, data) VALUES ($1, $2, 'opened', now(), '{}')`,
      [messageLogId, eventKey('generic', 'old')],
    );
    await report({ id: 'old', type: 'opened', messageLogId, occurredAt: '2026-11-21T07:00:00Z' });
    expect(await events.state(account, messageLogId)).toMatchObject({ opens: 0, events: [{ type: 'opened' }] });
  });
});
