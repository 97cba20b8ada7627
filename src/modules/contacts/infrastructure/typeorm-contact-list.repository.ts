import { Injectable } from '@nestjs/common';

import { MAX_LISTS } from '../../../config/limits.js';
import { addWithinLimit } from '../../../platform/database/add-within-limit.js';
import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import { isUniqueViolation } from '../../../platform/database/postgres-errors.js';
import { DomainError } from '../../../shared/domain-error.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { ContactListRepository } from '../application/ports/contact-list.repository.js';
import { ContactList } from '../domain/contact-list.js';

@Injectable()
export class TypeOrmContactListRepository extends ContactListRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(list: ContactList): Promise<void> {
    const { accountId } = list;
    await addWithinLimit(
      this.database,
      accountId,
      { max: MAX_LISTS, rows: 'lists' },
      {
        count: () => this.rows().countBy({ accountId }),
        add: () => this.rows().insert(list),
      },
    ).catch(refuseTakenName(list));
  }

  list(accountId: string, page: PageRequest): Promise<Page<ContactList>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  findAndLock(accountId: string, id: string): Promise<ContactList | null> {
    return this.rows().findOne({ where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
  }

  async findIds(accountId: string, ids: readonly string[]): Promise<Set<string>> {
    const found = await this.database.query<{ id: string }>(FIND_IDS, [accountId, ids]);
    return new Set(found.map(({ id }) => id));
  }

  async save(list: ContactList): Promise<void> {
    const { accountId, id } = list;
    await this.rows().update({ accountId, id }, list).catch(refuseTakenName(list));
  }

  async remove(accountId: string, id: string): Promise<ContactList | null> {
    const list = await this.findAndLock(accountId, id);
    if (list) await this.rows().delete({ accountId, id });
    return list;
  }

  async removeMembersAcrossAccounts(id: string): Promise<void> {
    await this.database.deleteInBatches('list_members', OF_REMOVED_LIST, [id]);
  }

  private rows() {
    return this.database.manager.getRepository(ContactList);
  }
}

const refuseTakenName = (list: ContactList) => (error: unknown) => {
  if (!isUniqueViolation(error, 'uq_lists_account_name')) throw error;
  throw DomainError.conflict(`A list with the name ${list.name} exists already`);
};

/** $1 account, $2 ids, as one parameter: a statement has at most 65,535. */
const FIND_IDS = 'SELECT id FROM lists WHERE account_id = $1 AND id = ANY ($2)';

const OF_REMOVED_LIST = 'list_id = $1 AND NOT EXISTS (SELECT FROM lists l WHERE l.id = $1)';
