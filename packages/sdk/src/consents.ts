import { textOf } from './encode.js';
import { at, LARGEST_PAGE } from './paging.js';
import type { CallOptions, Transport } from './transport.js';
import type {
  Consent,
  ConsentAddress,
  ConsentFields,
  ConsentFilters,
  ConsentPage,
  ConsentPageOptions,
  StandingConsent,
} from './types.js';

/**
 * `client.consents`: records of consents and of their withdrawals. They are never changed. Reading needs the scope
 * `contacts:read`, recording `contacts:write`.
 */
export class Consents {
  constructor(private readonly transport: Transport) {}

  /**
   * Records that a person has agreed (`granted`) or has taken it back (`withdrawn`), now or at `occurredAt`. Never
   * repeated after a failure: a record whose response was lost would be there twice.
   *
   * @example await client.consents.record({ email: 'ada@example.org', action: 'granted', wording: 'Yes, send me news' });
   */
  record({ occurredAt, ...consent }: ConsentFields, options?: CallOptions): Promise<Consent> {
    const body = { ...consent, ...(occurredAt != null && { occurredAt: textOf(occurredAt) }) };
    return this.transport.callOnce((init) => this.transport.api.POST('/api/consents', { ...init, body }), options);
  }

  /**
   * The consent in force for the address: for each purpose, and for each topic with records of its own, the latest
   * record, or `none`.
   */
  standing(address: ConsentAddress, options?: CallOptions): Promise<StandingConsent[]> {
    const params = { query: address };
    return this.transport.call(
      (init) => this.transport.api.GET('/api/consents/standing', { ...init, params }),
      options,
    );
  }

  /** All records that the filters select, newest first; pages are fetched when the loop reaches them. */
  async *list(filters: ConsentFilters = {}, options?: CallOptions): AsyncGenerator<Consent, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const page = await this.page({ ...filters, limit: LARGEST_PAGE, ...(cursor && { cursor }) }, options);
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** One page, newest first. */
  page({ from, to, ...filters }: ConsentPageOptions = {}, options?: CallOptions): Promise<ConsentPage> {
    const times = { ...(from !== undefined && { from: textOf(from) }), ...(to !== undefined && { to: textOf(to) }) };
    const params = { query: { ...filters, ...times } };
    return this.transport.call((init) => this.transport.api.GET('/api/consents', { ...init, params }), options);
  }

  /** One record, with the original wording. */
  get(id: string, options?: CallOptions): Promise<Consent> {
    return this.transport.call((init) => this.transport.api.GET('/api/consents/{id}', { ...init, ...at(id) }), options);
  }
}
