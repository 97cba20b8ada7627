import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
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

  private rows() {
    return this.database.manager.getRepository(User);
  }
}
