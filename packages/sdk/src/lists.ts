import { at, LARGEST_PAGE, rowsOf } from './paging.js';
import type { CallOptions, Transport } from './transport.js';
import type { List, ListPage, ListPageOptions } from './types.js';

/** `client.lists`: lists of contacts. Reading needs the scope `contacts:read`, writing `contacts:write`. */
export class Lists {
  constructor(private readonly transport: Transport) {}

  /** All lists, newest first; pages are fetched when the loop reaches them. */
  list(options?: CallOptions): AsyncGenerator<List, void, undefined> {
    return rowsOf((page) => this.page({ page, limit: LARGEST_PAGE }, options));
  }

  /** One page, newest first. */
  page(filters: ListPageOptions = {}, options?: CallOptions): Promise<ListPage> {
    const params = { query: filters };
    return this.transport.call((init) => this.transport.api.GET('/api/lists', { ...init, params }), options);
  }

  /**
   * Creates a list; an ApiError with status 409 if there is one of this name. Never repeated after a failure: a list
   * that was created although its response was lost would end with that 409.
   */
  create(name: string, options?: CallOptions): Promise<List> {
    const body = { name };
    return this.transport.callOnce((init) => this.transport.api.POST('/api/lists', { ...init, body }), options);
  }

  rename(id: string, name: string, options?: CallOptions): Promise<List> {
    const body = { name };
    return this.transport.call(
      (init) => this.transport.api.PATCH('/api/lists/{id}', { ...init, ...at(id), body }),
      options,
    );
  }

  /** Deletes a list and returns it as it was. Its contacts are kept. */
  delete(id: string, options?: CallOptions): Promise<List> {
    return this.transport.call((init) => this.transport.api.DELETE('/api/lists/{id}', { ...init, ...at(id) }), options);
  }
}
