import { expect } from '@jest/globals';
import { Client } from 'pg';

import { type ReportedEvent, TimelineRepository } from '../../src/modules/messages/index.js';
import { RECORD_EVENTS } from '../../src/modules/messages/infrastructure/timeline/event.sql.js';
import { newId } from '../../src/shared/ids.js';
import type { TestAccount } from './account.js';
import type { TestService } from './service.js';
import { waitFor } from './wait-for.js';

export interface FeedItem {
  id: string;
  messageLogId: string;
  type: string;
  cursor: string;
  data: Record<string, unknown>;
}

interface Page {
  items: FeedItem[];
  nextCursor: string;
}

type Query = Record<string, string | number>;
type Reported = Pick<ReportedEvent, 'type'> & Partial<ReportedEvent>;

/** The feed of an account as a caller reads it: a member or a key. */
export class FeedReader {
  readonly seen: FeedItem[] = [];
  private cursor = '';

  private constructor(
    private readonly service: TestService,
    private readonly account: TestAccount,
    private readonly secret: string | null,
    private readonly query: Query,
  ) {}

  /** Begins at the present end. */
  static async open(
    service: TestService,
    account: TestAccount,
    { secret = null as string | null, ...query }: Query & { secret?: string | null } = {},
  ): Promise<FeedReader> {
    const reader = new FeedReader(service, account, secret, query);
    const { items, nextCursor } = await reader.page();
    expect(items).toEqual([]);
    reader.cursor = nextCursor;
    return reader;
  }

  get position(): string {
    return this.cursor;
  }

  ask(query: Query = {}) {
    const path = '/api/messages/events';
    const request =
      this.secret === null
        ? this.account.asMember('get', path)
        : this.service.request('get', path).set('X-API-Key', this.secret);
    return request.query({ ...this.query, ...query });
  }

  async page(query: Query = {}): Promise<Page> {
    const { body, headers } = await this.ask(query).expect(200);
    expect(headers['cache-control']).toBe('no-store');
    return body as Page;
  }

  /** The next page; the one after it begins behind this one. */
  async next(query: Query = {}): Promise<FeedItem[]> {
    const { items, nextCursor } = await this.page({ ...query, after: this.cursor });
    this.cursor = nextCursor;
    this.seen.push(...items);
    return items;
  }

  /**
   * Reads until it has seen so many events, and without `wait` to the end. Other databases of the server may have open
   * transactions.
   */
  async until(count: number, query: Query = {}): Promise<FeedItem[]> {
    const isDone = () => this.seen.length >= count;
    await waitFor(`${count} events`, async () => {
      while (!(isDone() && query.wait) && (await this.next(query)).length > 0);
      return isDone();
    });
    return this.seen;
  }
}

const reported = (accountId: string, messageId: string, now: Date, event: Reported): ReportedEvent => ({
  accountId,
  channel: 'email',
  messageId,
  providerMessageId: null,
  key: newId(now),
  occurredAt: now,
  recipient: null,
  data: {},
  ...event,
});

/** Records events as a report of the provider does, within the current transaction if there is one. */
export async function recordEvents(
  service: TestService,
  accountId: string,
  messageId: string,
  events: readonly Reported[],
): Promise<void> {
  const now = service.clock.now();
  const timeline = service.app.get(TimelineRepository, { strict: false });
  const recorded = await timeline.record(events.map((event) => reported(accountId, messageId, now, event)));
  expect(recorded.map(({ outcome }) => outcome)).toEqual(events.map(() => 'recorded'));
}

/** A transaction on a connection of its own that records events. */
export class EventWriter {
  private constructor(
    private readonly client: Client,
    private readonly service: TestService,
  ) {}

  static async begin(service: TestService): Promise<EventWriter> {
    const client = new Client(service.database.url);
    client.on('error', () => undefined); // some tests end it
    await client.connect();
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    return new EventWriter(client, service);
  }

  /** The id of the event. */
  async record(accountId: string, messageId: string): Promise<string> {
    const now = this.service.clock.now();
    const id = newId(now);
    const event = { ...reported(accountId, messageId, now, { type: 'delayed' }), id, position: 0 };
    const { rows } = await this.client.query(RECORD_EVENTS, [JSON.stringify([event]), [messageId]]);
    expect(rows).toMatchObject([{ outcome: 'recorded' }]);
    return id;
  }

  async takeTransactionId(): Promise<void> {
    await this.client.query('SELECT pg_current_xact_id()');
  }

  async processId(): Promise<number> {
    const { rows } = await this.client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]!.pid;
  }

  commit(): Promise<void> {
    return this.end('COMMIT');
  }

  rollBack(): Promise<void> {
    return this.end('ROLLBACK');
  }

  private async end(statement: string): Promise<void> {
    await this.client.query(statement);
    await this.client.end();
  }
}
