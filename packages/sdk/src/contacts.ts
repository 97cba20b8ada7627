import { at, LARGEST_PAGE, rowsOf } from './paging.js';
import type { CallOptions, Transport } from './transport.js';
import type {
  Contact,
  ContactChanges,
  ContactFields,
  ContactFilters,
  ContactImport,
  ContactPage,
  ContactPageOptions,
  ImportedContact,
} from './types.js';

/**
 * `client.contacts`. Reading needs the scope `contacts:read`, writing `contacts:write`. An id that does not exist is an
 * ApiError with status 404.
 */
export class Contacts {
  constructor(private readonly transport: Transport) {}

  /** All contacts that the filters select, newest first; pages are fetched when the loop reaches them. */
  list(filters: ContactFilters = {}, options?: CallOptions): AsyncGenerator<Contact, void, undefined> {
    return rowsOf((page) => this.page({ ...filters, page, limit: LARGEST_PAGE }, options));
  }

  /** One page, newest first. */
  page(filters: ContactPageOptions = {}, options?: CallOptions): Promise<ContactPage> {
    const params = { query: filters };
    return this.transport.call((init) => this.transport.api.GET('/api/contacts', { ...init, params }), options);
  }

  get(id: string, options?: CallOptions): Promise<Contact> {
    return this.transport.call((init) => this.transport.api.GET('/api/contacts/{id}', { ...init, ...at(id) }), options);
  }

  /**
   * Adds the contact, or changes the one with this address: absent fields and absent keys of `attributes` are kept,
   * null clears, `tags` and `listIds` replace. The status `unsubscribed` suppresses the address; `active` does not lift
   * a suppression (400).
   */
  upsert(contact: ContactFields, options?: CallOptions): Promise<Contact> {
    return this.transport.call((init) => this.transport.api.POST('/api/contacts', { ...init, body: contact }), options);
  }

  /** Changes a contact, by the rules of `upsert`. */
  update(id: string, changes: ContactChanges, options?: CallOptions): Promise<Contact> {
    return this.transport.call(
      (init) => this.transport.api.PATCH('/api/contacts/{id}', { ...init, ...at(id), body: changes }),
      options,
    );
  }

  /**
   * Deletes a contact and returns it as it was. A suppression of its address stays. If the first response is lost, the
   * repeated request ends with 404.
   */
  delete(id: string, options?: CallOptions): Promise<Contact> {
    return this.transport.call(
      (init) => this.transport.api.DELETE('/api/contacts/{id}', { ...init, ...at(id) }),
      options,
    );
  }

  /**
   * Adds or changes up to 5,000 contacts, each as `upsert` does; up to 500 are recommended. Those without a fault are
   * written even if others have one (`errors`). `listId` adds all of them to a list, `consentAt` records a consent.
   * `dryRun` writes nothing: the counts and errors are those that the import would have.
   */
  import(
    contacts: readonly ImportedContact[],
    { listId, dryRun, ...options }: CallOptions & { listId?: string; dryRun?: boolean } = {},
  ): Promise<ContactImport> {
    const given = { ...(listId !== undefined && { listId }), ...(dryRun !== undefined && { dryRun }) };
    const body = { contacts: [...contacts], ...given };
    return this.transport.call((init) => this.transport.api.POST('/api/contacts/import', { ...init, body }), options);
  }

  /**
   * The contacts as CSV in UTF-8, newest first. `timeoutMs` limits the wait for the response, `signal` ends the
   * download, too.
   */
  export(filters: ContactFilters = {}, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    const params = { query: filters };
    return this.transport.download(
      (init) => this.transport.api.GET('/api/contacts/export.csv', { ...init, params, parseAs: 'stream' }),
      options,
    );
  }
}
