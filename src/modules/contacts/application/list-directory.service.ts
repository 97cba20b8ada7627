import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { ContactListRepository } from './ports/contact-list.repository.js';

/** Checks that lists exist. While the lists are locked, the answer holds until the transaction ends. */
@Injectable()
export class ListDirectory {
  constructor(private readonly lists: ContactListRepository) {}

  /** Throws invalid, naming the field and the first id that is not a list of the account. */
  async require(accountId: string, field: string, ids: readonly string[]): Promise<void> {
    const unknown = await this.findUnknown(accountId, ids);
    for (const id of ids) if (unknown.has(id)) throw DomainError.invalid(noSuchList(field, id), 'unknown_list');
  }

  /** Returns the ids that are not lists of the account. */
  async findUnknown(accountId: string, ids: Iterable<string>): Promise<Set<string>> {
    const unknown = new Set(ids);
    if (unknown.size === 0) return unknown;
    for (const id of await this.lists.findIds(accountId, [...unknown])) unknown.delete(id);
    return unknown;
  }
}

export const noSuchList = (field: string, id: string): string => `${field}: there is no list ${id}`;
