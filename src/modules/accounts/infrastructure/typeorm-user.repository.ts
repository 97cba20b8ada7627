import { Injectable } from '@nestjs/common';

import { selectList } from '../../../platform/database/columns.js';
import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import { unnestParameters } from '../../../platform/database/list-parameter.sql.js';
import { isUniqueViolation, POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../concurrency/batcher.js';
import { DomainError } from '../../../shared/domain-error.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { UserRepository } from '../application/ports/user.repository.js';
import { User } from '../domain/user.js';
import { UserSchema } from './user.schema.js';

type LookUp = Pick<User, 'accountId' | 'id'>;

@Injectable()
export class TypeOrmUserRepository extends UserRepository {
  private readonly lookUps = new Batcher<LookUp, User | null>((lookUps) => this.findAll(lookUps), {
    faults: POSTGRES_FAULTS,
  });

  constructor(private readonly database: Database) {
    super();
  }

  find(accountId: string, id: string): Promise<User | null> {
    return this.rows().findOneBy({ accountId, id });
  }

  findForSession(accountId: string, id: string): Promise<User | null> {
    return this.lookUps.add({ accountId, id });
  }

  findByEmailAcrossAccounts(normalisedEmail: string, limit: number, accountId?: string): Promise<User[]> {
    const where = { normalisedEmail, ...(accountId === undefined ? {} : { accountId }) };
    return this.rows().find({ where, order: { id: 'ASC' }, take: limit });
  }

  list(accountId: string, page: PageRequest): Promise<Page<User>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  countAdmins(accountId: string): Promise<number> {
    return this.rows().countBy({ accountId, role: 'admin' });
  }

  async add(user: User): Promise<void> {
    await this.rows().insert(user).catch(refuseTakenEmail(user));
  }

  async save(user: User): Promise<void> {
    const { accountId, id } = user;
    await this.rows().update({ accountId, id }, user).catch(refuseTakenEmail(user));
  }

  async remove(accountId: string, id: string): Promise<void> {
    await this.rows().delete({ accountId, id });
  }

  private async findAll(lookUps: LookUp[]): Promise<(User | null)[]> {
    const rows = await this.database.prepared<User>('find_users', FIND_ALL, [
      lookUps.map(({ accountId }) => accountId),
      lookUps.map(({ id }) => id),
    ]);
    const users = new Map(rows.map((row) => [`${row.accountId} ${row.id}`, Object.assign(new User(), row)]));
    return lookUps.map(({ accountId, id }) => users.get(`${accountId} ${id}`) ?? null);
  }

  private rows() {
    return this.database.manager.getRepository(User);
  }
}

const refuseTakenEmail = (user: User) => (error: unknown) => {
  if (!isUniqueViolation(error, 'uq_users_normalised_email')) throw error;
  throw DomainError.conflict(`A user with the email ${user.email} exists already`);
};

const FIND_ALL = `
  SELECT ${selectList(UserSchema, 'u')}
  FROM users u JOIN ${unnestParameters('text', 'text')} AS s (account_id, id) ON u.account_id = s.account_id AND u.id = s.id`;
