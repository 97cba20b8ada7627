import { Injectable } from '@nestjs/common';

import { chunk } from '../../../shared/collections.js';
import { DomainError } from '../../../shared/domain-error.js';
import { ContactListRepository } from './ports/contact-list.repository.js';

/** An import may name half a million ids; in one statement they would block the event loop. */
const IDS_PER_STATEMENT = 10_000;

/** Checks that lists exist. While the lists are locked, the result holds until the transaction ends. */
@Injectable()
export class ListDirectory {
  constructor(private readonly lists: ContactListRepository) {}

  /** Throws invalid, naming the field and the first id that is not a list of the account. */
  async require(accountId: string, field: string, ids: readonly string[]): Promise<void> {
    const unknown = await this.findUnknown(accountId, ids);
    for (const id of ids) if (unknown.has(id)) throw DomainError.invalid(noSuchList(field, id));
  }

  /** Returns the ids that are not lists of the account. */
  async findUnknown(accountId: string, ids: Iterable<string>): Promise<Set<string>> {
    const unknown = new Set<string>();
    for (const part of chunk([...ids], IDS_PER_STATEMENT)) {
      const found = await this.lists.findIds(accountId, part);
      for (const id of part) if (!found.has(id)) unknown.add(id);
    }
    return unknown;
  }
}

export const noSuchList = (field: string, id: string): string => `${field}: there is no list ${id}`;
