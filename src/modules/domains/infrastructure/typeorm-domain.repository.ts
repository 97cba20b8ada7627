import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, Not } from 'typeorm';

import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import { DomainRepository } from '../application/ports/domain.repository.js';
import { Domain } from '../domain/domain.js';
import { presentSetUp } from './present-set-up.js';

@Injectable()
export class TypeOrmDomainRepository extends DomainRepository {
  constructor(
    private readonly database: Database,
    private readonly changes: AccountChanges,
  ) {
    super();
  }

  addIfAbsent(domain: Domain, openIfBefore: Date): Promise<{ isAdded: boolean; displaced: Domain | null }> {
    return this.database.run(async () => {
      const displaced = await this.rows().findOne({
        where: {
          name: domain.name,
          accountId: Not(domain.accountId),
          verifiedAt: IsNull(),
          createdAt: LessThan(openIfBefore),
        },
        lock: { mode: 'pessimistic_write' },
      });
      if (displaced) await this.rows().delete({ id: displaced.id });
      const insert = this.rows().createQueryBuilder().insert().values(domain).orIgnore().returning('id');
      const inserted = (await insert.execute()).raw as unknown[];
      return { isAdded: inserted.length > 0, displaced };
    });
  }

  list(accountId: string, page: PageRequest): Promise<Page<Domain>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  find(accountId: string, id: string): Promise<Domain | null> {
    return this.rows().findOneBy({ accountId, id });
  }

  findByNameAcrossAccounts(name: string): Promise<Domain | null> {
    return this.rows().findOneBy({ name });
  }

  change(accountId: string, id: string, change: (domain: Domain) => void): Promise<Domain | null> {
    return this.database.run(async () => {
      const domain = await this.rows().findOne({ where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
      if (!domain) return null;
      change(domain);
      await this.rows().update({ accountId, id }, domain);
      await this.changes.announce(accountId);
      return domain;
    });
  }

  remove(accountId: string, id: string): Promise<Domain | null> {
    return this.database.run(async () => {
      const domain = await this.rows().findOne({ where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
      if (!domain) return null;
      await this.rows().delete({ accountId, id });
      await this.changes.announce(accountId);
      return domain;
    });
  }

  claimDueAcrossAccounts(now: Date, again: Date, limit: number): Promise<Domain[]> {
    return this.database.run(async () => {
      const domains = await this.rows()
        .createQueryBuilder('domain')
        .innerJoin('Account', 'account', 'account.id = domain.accountId')
        .where('domain.nextCheckAt <= :now', { now })
        .orWhere(`domain.nextCheckAt > :again AND domain.setUpFor <> ${presentSetUp('account')}`, { again })
        .orderBy('domain.nextCheckAt')
        .limit(limit)
        .setLock('pessimistic_write', undefined, ['domain'])
        .setOnLocked('skip_locked')
        .getMany();
      if (domains.length > 0) {
        await this.rows().update(
          domains.map(({ id }) => id),
          { nextCheckAt: again },
        );
      }
      return domains;
    });
  }

  private rows() {
    return this.database.manager.getRepository(Domain);
  }
}
