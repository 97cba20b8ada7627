import { LARGEST_PAGE, rowsOf } from './paging.js';
import type { CallOptions, Transport } from './transport.js';
import type { Suppression, SuppressionFilters, SuppressionPage, SuppressionPageOptions } from './types.js';

/**
 * `client.suppressions`: the addresses to which sends are refused. Reading needs the scope `contacts:read`. To suppress
 * an address, write a contact with the status `unsubscribed`.
 */
export class Suppressions {
  constructor(private readonly transport: Transport) {}

  /** All entries that the filters select, newest first; pages are fetched when the loop reaches them. */
  list(filters: SuppressionFilters = {}, options?: CallOptions): AsyncGenerator<Suppression, void, undefined> {
    return rowsOf((page) => this.page({ ...filters, page, limit: LARGEST_PAGE }, options));
  }

  /** One page, newest first. With `address`, at most one entry: that of the address, in any spelling. */
  page(filters: SuppressionPageOptions = {}, options?: CallOptions): Promise<SuppressionPage> {
    const params = { query: filters };
    return this.transport.call((init) => this.transport.api.GET('/api/suppressions', { ...init, params }), options);
  }
}
