import { Injectable } from '@nestjs/common';
import { In, Not } from 'typeorm';

import { MAX_DOMAINS } from '../../../config/limits.js';
import { addWithinLimit } from '../../../platform/database/add-within-limit.js';
import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import { isUniqueViolation } from '../../../platform/database/postgres-errors.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import { DomainTakenError } from '../application/domain-errors.js';
import { DomainRepository } from '../application/ports/domain.repository.js';
import { Domain } from '../domain/domain.js';
import type { ProviderKey } from '../../../shared/provider-key.js';
import { ONE_ACCOUNT_PER_VERIFIED_NAME } from './domain.schema.js';
import { currentProviderKey } from '../../../providers/index.js';

const VERIFIED = { dkimStatus: 'verified', spfStatus: 'verified', mailFromStatus: 'verified' } as const;

@Injectable()
export class TypeOrmDomainRepository extends DomainRepository {
  constructor(
    private readonly database: Database,
    private readonly changes: AccountChanges,
  ) {
    super();
  }

  addIfAbsent(domain: Domain, maxUnverified: number): Promise<'added' | 'exists' | 'too_many'> {
    const { accountId, name } = domain;
    const count = () => this.rows().countBy({ accountId });
    const add = async () => {
      if (await this.rows().existsBy({ accountId, name })) return 'exists';
      const verified = await this.rows().countBy({ accountId, ...VERIFIED });
      if ((await count()) - verified >= maxUnverified) return 'too_many';
      await this.rows().insert(domain);
      return 'added';
    };
    return addWithinLimit(this.database, accountId, { max: MAX_DOMAINS, rows: 'domains' }, { count, add });
  }

  list(accountId: string, page: PageRequest): Promise<Page<Domain>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  find(accountId: string, id: string): Promise<Domain | null> {
    return this.rows().findOneBy({ accountId, id });
  }

  findVerifiedByNameAcrossAccounts(name: string): Promise<Domain | null> {
    return this.rows().findOneBy({ name, ...VERIFIED });
  }

  isUsedByOthers(accountId: string, name: string, providerKeys: readonly ProviderKey[]): Promise<boolean> {
    return this.rows().existsBy({ accountId: Not(accountId), name, providerKey: In([...providerKeys]) });
  }

  async change(accountId: string, id: string, change: (domain: Domain) => void): Promise<Domain | null> {
    let name = '';
    try {
      return await this.database.runInLane(accountId, async () => {
        const domain = await this.rows().findOne({ where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
        if (!domain) return null;
        change(domain);
        name = domain.name;
        await this.rows().update({ accountId, id }, domain);
        await this.changes.announce(accountId);
        return domain;
      });
    } catch (error) {
      throw isUniqueViolation(error, ONE_ACCOUNT_PER_VERIFIED_NAME) ? new DomainTakenError(name) : error;
    }
  }

  remove(accountId: string, id: string): Promise<Domain | null> {
    return this.database.runInLane(accountId, async () => {
      const domain = await this.rows().findOne({ where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
      if (!domain) return null;
      await this.rows().delete({ accountId, id });
      await this.changes.announce(accountId);
      return domain;
    });
  }

  claimDueAcrossAccounts(now: Date, claimedUntil: Date, limit: number): Promise<Domain[]> {
    return this.database.run(async () => {
      const domains = await this.rows()
        .createQueryBuilder('domain')
        .innerJoin('Account', 'account', 'account.id = domain.accountId')
        .where('domain.nextCheckAt <= :now', { now })
        .orWhere(`domain.nextCheckAt > :claimedUntil AND domain.providerKey <> ${currentProviderKey('account')}`, {
          claimedUntil,
        })
        .orderBy('domain.nextCheckAt')
        .limit(limit)
        .setLock('pessimistic_write', undefined, ['domain'])
        .setOnLocked('skip_locked')
        .getMany();
      if (domains.length > 0) {
        await this.rows().update(
          domains.map(({ id }) => id),
          { nextCheckAt: claimedUntil },
        );
      }
      return domains;
    });
  }

  private rows() {
    return this.database.manager.getRepository(Domain);
  }
}
