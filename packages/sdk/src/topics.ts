import { LARGEST_PAGE, rowsOf } from './paging.js';
import type { CallOptions, Transport } from './transport.js';
import type { Topic, TopicPage, TopicPageOptions } from './types.js';

/** `client.topics`: the topics of messages. Needs the scope `contacts:read`. */
export class Topics {
  constructor(private readonly transport: Transport) {}

  /** All topics, newest first; pages are fetched when the loop reaches them. */
  list(options?: CallOptions): AsyncGenerator<Topic, void, undefined> {
    return rowsOf((page) => this.page({ page, limit: LARGEST_PAGE }, options));
  }

  /** One page, newest first. */
  page(filters: TopicPageOptions = {}, options?: CallOptions): Promise<TopicPage> {
    const params = { query: filters };
    return this.transport.call((init) => this.transport.api.GET('/api/topics', { ...init, params }), options);
  }
}
