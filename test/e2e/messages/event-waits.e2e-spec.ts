import { Agent, get } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { WAITS_PER_ACCOUNT } from '../../../src/config/limits.js';
import { EventWaits } from '../../../src/modules/messages/application/event-waits.service.js';
import { EventFeed } from '../../../src/modules/messages/application/ports/event-feed.js';
import { RequestsInFlight } from '../../../src/platform/metrics/requests-in-flight.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { EventWriter, FeedReader, recordEvents } from '../../support/event-feed.js';
import { insertMessages } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const LIMIT = 10;
const WAITING = 3 * LIMIT;
const LOCK_WAITS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe('GET /api/messages/events with `wait`', () => {
  let service: TestService;
  let account: TestAccount;
  let message: string;
  let waits: EventWaits;

  beforeAll(async () => {
    const variables = { ROLE: 'api', MAX_REQUESTS_IN_FLIGHT: String(LIMIT), DATABASE_POOL_SIZE: '16' };
    service = await TestService.start(variables);
    waits = service.app.get(EventWaits, { strict: false });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    [message = ''] = await insertMessages(service, account.id, [{}]);
  });

  const record = (type: 'delivered' | 'bounced' = 'delivered', of = message) =>
    recordEvents(service, account.id, of, [{ type }]);
  /** Asks again when the time is up: other databases of the server may have open transactions. */
  const nextEvents = (reader: FeedReader) =>
    waitFor('events', async () => {
      const items = await reader.next({ wait: 30 });
      return items.length > 0 && items;
    });
  const untilWaiting = (count: number) => waitFor(`${count} waiting requests`, () => waits.size === count);

  it('is answered as soon as there is an event', async () => {
    const reader = await FeedReader.open(service, account);
    const waiting = nextEvents(reader);
    await untilWaiting(1);
    await record();
    expect(await waiting).toMatchObject([{ type: 'delivered', messageLogId: message }]);
    expect(waits.size).toBe(0);
  });

  it('is answered at once if there is one already', async () => {
    const reader = await FeedReader.open(service, account);
    await record();
    await reader.until(1, { wait: 30 });
  });

  it('reads on past any number of events that are not wanted', async () => {
    const all = await FeedReader.open(service, account);
    const picky = await FeedReader.open(service, account, { types: 'bounced' });
    const events = Array.from({ length: 600 }, () => ({ type: 'delayed' as const }));
    await recordEvents(service, account.id, message, events);
    await all.until(600, { wait: 30 });
    expect(await picky.next({ wait: 1 })).toEqual([]);
    expect(picky.position).toBe(all.position);
  });

  it('is answered without items when the time is up', async () => {
    const reader = await FeedReader.open(service, account);
    const before = reader.position;
    expect(await reader.next({ wait: 1 })).toEqual([]);
    expect(reader.position).toBe(before);
  });

  it('ends for the wanted types and messages only, and then goes on behind what it has skipped', async () => {
    const key = await account.createKey();
    const [ofKey = ''] = await insertMessages(service, account.id, [{ apiKeyId: key.id }]);
    const bounces = await FeedReader.open(service, account, { types: 'bounced' });
    const own = await FeedReader.open(service, account, { secret: key.secret });
    const all = await FeedReader.open(service, account);
    const waiting = [nextEvents(bounces), nextEvents(own)];
    await untilWaiting(2);
    await record('delivered');
    await all.until(1, { wait: 30 });
    await untilWaiting(2);
    await record('bounced', ofKey);
    for (const items of await Promise.all(waiting))
      expect(items).toMatchObject([{ type: 'bounced', messageLogId: ofKey }]);
  });

  it('uses no connection and no part of the load limit, and one read serves those that want the same', async () => {
    const waiting: ReturnType<typeof nextEvents>[] = [];
    while (waiting.length < WAITING) {
      waiting.push(nextEvents(await FeedReader.open(service, account)));
      await untilWaiting(waiting.length);
    }
    const { pool } = service.database;
    await waitFor('all connections to be free', () => pool.idleCount === pool.totalCount);
    expect(service.app.get(RequestsInFlight, { strict: false }).count).toBe(0);
    await service.request('get', '/health/ready').expect(200);
    await account.asMember('get', '/api/messages').expect(200);
    const reads = jest.spyOn(service.app.get(EventFeed, { strict: false }), 'read');
    await record();
    for (const items of await Promise.all(waiting)) expect(items).toMatchObject([{ messageLogId: message }]);
    expect(reads.mock.calls.length).toBeLessThan(WAITING);
    reads.mockRestore();
  });

  it('takes no capacity from others when many are answered together', async () => {
    const other = await service.createAccount();
    const { secret } = await other.createKey();
    const waiting: ReturnType<typeof nextEvents>[] = [];
    while (waiting.length < WAITING) {
      waiting.push(nextEvents(await FeedReader.open(service, account)));
      await untilWaiting(waiting.length);
    }
    const writer = await EventWriter.begin(service);
    await writer.record(account.id, message);
    await service.hold(async () => {
      await service.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE'); // sessions are looked up
      await writer.commit();
      await untilWaiting(0);
      await waitFor('a look-up', async () => (await service.query(LOCK_WAITS)).length > 0);
      expect(service.app.get(RequestsInFlight, { strict: false }).count).toBe(0);
      await service.request('get', '/api/messages').set('X-API-Key', secret).expect(200);
    });
    for (const items of await Promise.all(waiting)) expect(items).toMatchObject([{ messageLogId: message }]);
  });

  it('is forgotten when its client leaves', async () => {
    const reader = await FeedReader.open(service, account);
    const agent = new Agent();
    const url = `${service.url}/api/messages/events?wait=30&after=${reader.position}`;
    const headers = { authorization: `Bearer ${account.memberToken}` };
    const request = get(url, { agent, headers }).on('error', () => undefined);
    await untilWaiting(1);
    request.destroy();
    await untilWaiting(0);
    const inFlight = service.app.get(RequestsInFlight, { strict: false });
    await waitFor('the request not to count', () => inFlight.count === 0); // neither as open nor as one that waits
    agent.destroy();
  });

  it('is refused if too many of the account wait', async () => {
    const reader = await FeedReader.open(service, account);
    const places = Array.from({ length: WAITS_PER_ACCOUNT }, () => waits.admit(account.id));
    const message = `${WAITS_PER_ACCOUNT} requests of this account are already waiting for events`;
    const { body, headers } = await reader.ask({ after: reader.position, wait: 30 }).expect(429);
    expect(body).toEqual(errorBody(429, message));
    expect(headers['retry-after']).toBe('5');
    await reader.ask({ after: reader.position }).expect(200);
    const other = await FeedReader.open(service, await service.createAccount());
    await other.ask({ after: other.position, wait: 1 }).expect(200);
    for (const leave of places) leave();
    await reader.ask({ after: reader.position, wait: 1 }).expect(200);
  });

  it('shows nothing to a key that was revoked meanwhile', async () => {
    const key = await account.createKey();
    const [ofKey = ''] = await insertMessages(service, account.id, [{ apiKeyId: key.id }]);
    const reader = await FeedReader.open(service, account, { secret: key.secret });
    const waiting = Promise.resolve(reader.ask({ after: reader.position, wait: 30 }));
    const answer = waiting.then(({ status, body }) => ({ status, body }));
    await untilWaiting(1);
    await account.asAdmin('delete', `/api/api-keys/${key.id}`).expect(200);
    await waitFor('the revocation', async () => (await reader.ask({ after: reader.position })).status === 401);
    await record('delivered', ofKey);
    expect(await answer).toEqual({ status: 401, body: errorBody(401, 'Invalid API key') });
  });

  it('goes on after an outage of the database', async () => {
    const reader = await FeedReader.open(service, account);
    const waiting = nextEvents(reader);
    await untilWaiting(1);
    const polls = jest.spyOn(service.app.get(EventFeed, { strict: false }), 'readNewsAcrossAccounts');
    await service.withoutDatabase(async () => {
      await waitFor('a poll', () => polls.mock.calls.length > 0);
      await expect(polls.mock.results[0]?.value).rejects.toThrow('unavailable');
    });
    polls.mockRestore();
    await record();
    expect(await waiting).toMatchObject([{ messageLogId: message }]);
  });

  it('is answered at once, without items, when the service stops', async () => {
    const stopped = await TestService.start({ ROLE: 'api' });
    const reader = await FeedReader.open(stopped, await stopped.createAccount());
    const waiting = Promise.resolve(reader.ask({ after: reader.position, wait: 30 }));
    const answer = waiting.then(({ status, body }) => ({ status, body }));
    await waitFor('it to wait', () => stopped.app.get(EventWaits, { strict: false }).size === 1);
    await stopped.stop();
    expect(await answer).toEqual({ status: 200, body: { items: [], nextCursor: reader.position } });
  });
});
