import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId, newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { ContactList } from '../domain/contact-list.js';
import { ContactListRepository } from './ports/contact-list.repository.js';
import { ContactLocks } from './ports/contact-locks.js';

@Injectable()
export class ManageLists {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly locks: ContactLocks,
    private readonly lists: ContactListRepository,
    private readonly clock: Clock,
  ) {}

  async create(accountId: string, name: string): Promise<ContactList> {
    const now = this.clock.now();
    const list = ContactList.create(newId(now), accountId, name, now);
    await this.lists.add(list);
    return list;
  }

  list(accountId: string, page: PageRequest): Promise<Page<ContactList>> {
    return this.lists.list(accountId, page);
  }

  async rename(accountId: string, id: string, name: string): Promise<ContactList> {
    return this.transactions.runInLane(accountId, async () => {
      const list = found(isId(id) ? await this.lists.findAndLock(accountId, id) : null);
      list.rename(name, this.clock.now());
      await this.lists.save(list);
      return list;
    });
  }

  /** Its contacts stay. No contact can join a removed list, so its memberships are removed after the commit. */
  async remove(accountId: string, id: string): Promise<ContactList> {
    const removed = await this.transactions.runInLane(accountId, async () => {
      await this.locks.lockLists(accountId);
      return found(isId(id) ? await this.lists.remove(accountId, id) : null);
    });
    await this.lists.removeMembersAcrossAccounts(id);
    return removed;
  }
}

function found(list: ContactList | null): ContactList {
  if (!list) throw DomainError.notFound('List');
  return list;
}
