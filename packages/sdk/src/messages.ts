import { textOf } from './encode.js';
import { at, LARGEST_PAGE } from './paging.js';
import type { CallOptions, Transport } from './transport.js';
import type {
  CanceledMessages,
  EventFeedOptions,
  EventPage,
  EventPageOptions,
  FeedEvent,
  Message,
  MessageDetail,
  MessageFilters,
  MessagePage,
  MessagePageOptions,
  MessageStatus,
  MessageTotals,
  MessageTotalsFilters,
  Time,
} from './types.js';

/** Shorter than the timeouts of proxies. */
const WAIT_SECONDS = 20;

/**
 * `client.messages`: the e-mails and SMS that this key has sent. Reading needs the scope `read_events`, canceling and
 * rescheduling `send`. A message that the key has not sent is an ApiError with status 404.
 */
export class Messages {
  constructor(private readonly transport: Transport) {}

  /**
   * All messages that the filters select, newest first. Pages are fetched when the loop reaches them, so a loop may end
   * early and take its time. Rows that are added meanwhile neither repeat nor skip one.
   *
   * @example for await (const message of client.messages.list({ status: 'bounced' })) console.log(message.to);
   */
  async *list(filters: MessageFilters = {}, options?: CallOptions): AsyncGenerator<Message, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const page = await this.page({ ...filters, limit: LARGEST_PAGE, ...(cursor && { cursor }) }, options);
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** One page, newest first. Even an empty one is not the last while it has a `nextCursor`. */
  page(filters: MessagePageOptions = {}, options?: CallOptions): Promise<MessagePage> {
    const params = { query: queryOf(filters) };
    return this.transport.call((init) => this.transport.api.GET('/api/messages', { ...init, params }), options);
  }

  /**
   * The messages as CSV in UTF-8, newest first. `timeoutMs` limits the wait for the response, `signal` ends the
   * download, too.
   */
  export(filters: MessageFilters = {}, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    const params = { query: queryOf(filters) };
    return this.transport.download(
      (init) => this.transport.api.GET('/api/messages/export.csv', { ...init, params, parseAs: 'stream' }),
      options,
    );
  }

  /** One message with its timeline (`events`, oldest first). */
  get(id: string, options?: CallOptions): Promise<MessageDetail> {
    return this.transport.call((init) => this.transport.api.GET('/api/messages/{id}', { ...init, ...at(id) }), options);
  }

  /**
   * Events as they happen, after the cursor `after` or from now on, until the `signal` is aborted: then the loop throws
   * its reason. Each event comes once, and none is missed. To continue after a restart, store the `cursor` of the last
   * event that you have processed. An outage does not end the loop unless you set `maxRetries`; `timeoutMs` is in
   * addition to the time for which the service waits for an event.
   *
   * @example for await (const event of client.messages.events({ after })) after = await process(event);
   */
  async *events(
    { after, types }: EventFeedOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<FeedEvent, void, undefined> {
    const { maxRetries = Infinity, timeoutMs = this.transport.timeoutMs } = options;
    const patient = { ...options, maxRetries, timeoutMs: timeoutMs + WAIT_SECONDS * 1_000 };
    const selection = { limit: LARGEST_PAGE, wait: WAIT_SECONDS, ...(types && { types }) };
    for (let cursor = after; ;) {
      const page = await this.eventPage({ ...selection, ...(cursor !== undefined && { after: cursor }) }, patient);
      yield* page.items;
      cursor = page.nextCursor;
    }
  }

  /** The events after the cursor `after`. Without it there are none, and `nextCursor` is the current end. */
  eventPage({ types, ...query }: EventPageOptions = {}, options?: CallOptions): Promise<EventPage> {
    const params = { query: { ...query, ...(types && { types: [...types] }) } };
    return this.transport.call((init) => this.transport.api.GET('/api/messages/events', { ...init, params }), options);
  }

  /** The numbers of messages by status, and of opens and clicks. */
  aggregate(filters: MessageTotalsFilters = {}, options?: CallOptions): Promise<MessageTotals> {
    const params = { query: queryOf(filters) };
    return this.transport.call(
      (init) => this.transport.api.GET('/api/messages/aggregate', { ...init, params }),
      options,
    );
  }

  /**
   * Cancels a message that is scheduled or waits for its next attempt: after this nothing sends it any more. An
   * ApiError with status 409 if it is being sent or has a final status.
   */
  cancel(id: string, options?: CallOptions): Promise<Message> {
    return this.transport.call(
      (init) => this.transport.api.POST('/api/messages/{id}/cancel', { ...init, ...at(id) }),
      options,
    );
  }

  /** Cancels 1 to 1,000 messages, each or not as `cancel` does; `errors` names those that are not canceled. */
  cancelMany(ids: readonly string[], options?: CallOptions): Promise<CanceledMessages> {
    const body = { ids: [...ids] };
    return this.transport.call((init) => this.transport.api.POST('/api/messages/cancel', { ...init, body }), options);
  }

  /** Gives a queued message another time, at most 90 days ahead; otherwise an ApiError as in `cancel`. */
  reschedule(id: string, scheduledAt: Time, options?: CallOptions): Promise<Message> {
    const body = { scheduledAt: textOf(scheduledAt) };
    return this.transport.call(
      (init) => this.transport.api.PATCH('/api/messages/{id}', { ...init, ...at(id), body }),
      options,
    );
  }
}

function queryOf<Filters extends MessageFilters>({ status, scheduled, from, to, ...others }: Filters) {
  const statuses: readonly MessageStatus[] | undefined = typeof status === 'string' ? [status] : status;
  return {
    ...others,
    ...(statuses && { status: [...statuses] }),
    ...(scheduled && { scheduled: 'true' as const }),
    ...(from !== undefined && { from: textOf(from) }),
    ...(to !== undefined && { to: textOf(to) }),
  };
}
