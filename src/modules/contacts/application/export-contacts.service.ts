import { Injectable } from '@nestjs/common';

import { inBatches } from '../../../shared/collections.js';
import type { Contact } from '../domain/contact.js';
import { ContactFilters, type RequestedFilter } from './contact-filters.service.js';
import { AttributeKeys } from './ports/attribute-keys.js';
import { ContactRepository } from './ports/contact.repository.js';

/** A contact takes up to 50 kB. */
const BATCH_SIZE = 250;
/** Leaves room under the 1,000 columns of an import. */
const MAX_ATTRIBUTE_COLUMNS = 900;

@Injectable()
export class ExportContacts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly filters: ContactFilters,
    private readonly attributeKeys: AttributeKeys,
  ) {}

  /** The attributes that get a column each; `hasOthers` if there are too many for that. */
  async attributeColumns(accountId: string): Promise<{ keys: string[]; hasOthers: boolean }> {
    const keys = await this.attributeKeys.list(accountId, MAX_ATTRIBUTE_COLUMNS + 1);
    return { keys: keys.slice(0, MAX_ATTRIBUTE_COLUMNS), hasOthers: keys.length > MAX_ATTRIBUTE_COLUMNS };
  }

  /**
   * Yields the matching contacts, newest first, in at least one batch. No connection is held between batches, so a slow
   * reader costs nothing; contacts added or changed meanwhile may be missing. Throws invalid for an unknown list or
   * topic.
   */
  async *export(accountId: string, requested: RequestedFilter): AsyncGenerator<Contact[], void> {
    const filter = await this.filters.find(accountId, requested);
    yield* inBatches(BATCH_SIZE, (last) => this.contacts.listBefore(accountId, filter, last?.id ?? null, BATCH_SIZE));
  }
}
