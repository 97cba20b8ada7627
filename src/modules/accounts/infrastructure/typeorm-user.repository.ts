import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import { isUniqueViolation } from '../../../platform/database/postgres-errors.js';
import { DomainError } from '../../../shared/domain-error.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { UserRepository } from '../application/ports/user.repository.js';
import { User } from '../domain/user.js';

@Injectable()
export class TypeOrmUserRepository extends UserRepository {
  constructor(private readonly database: Database) {
    super();
  }

  find(accountId: string, id: string): Promise<User | null> {
    return this.rows().findOneBy({ accountId, id });
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

  private rows() {
    return this.database.manager.getRepository(User);
  }
}

const refuseTakenEmail = (user: User) => (error: unknown) => {
  if (!isUniqueViolation(error, 'uq_users_normalised_email')) throw error;
  throw DomainError.conflict(`A user with the email ${user.email} exists already`, 'email_taken');
};
