import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Environment } from './config/config.js';
import { ENTITIES } from './entities.js';
import { CreateAccount } from './modules/accounts/application/create-account.service.js';
import { faultsOf, type NewAccount } from './modules/accounts/domain/new-account.js';
import { Argon2PasswordHasher } from './modules/accounts/infrastructure/argon2-password-hasher.js';
import { TypeOrmAccountRepository } from './modules/accounts/infrastructure/typeorm-account.repository.js';
import { TypeOrmUserRepository } from './modules/accounts/infrastructure/typeorm-user.repository.js';
import { createDataSource, migrate } from './platform/database/data-source.js';
import { PostgresAccountChanges } from './platform/database/postgres-account-changes.js';
import { Database } from './platform/database/database.js';
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.js';
import { SystemClock } from './platform/system-clock.js';

/** One connection holds the lock of the migrations, the other runs them. */
const CONNECTIONS = 2;

type Target = Pick<Environment, 'databaseUrl' | 'dataDir'>;

/** Creates the account in the database of the environment, beside a running service or not; its id. Throws with all faults of the arguments. */
export async function createAccountFromArguments(args: string[], { databaseUrl, dataDir }: Target): Promise<string> {
  const wanted = readArguments(args);
  if (databaseUrl !== undefined) return createIn(databaseUrl, wanted);
  const embedded = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  try {
    return await createIn(embedded.url, wanted);
  } finally {
    await embedded.stop();
  }
}

function readArguments(args: string[]): NewAccount {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { name: text, email: text, password: text } });
  const { name = '', email = '', password = '' } = values;
  const missing = (['name', 'email', 'password'] as const).filter((option) => values[option] === undefined);
  const invalid = faultsOf({ name, email, password }).filter(
    (fault) => !missing.some((option) => fault.startsWith(option)),
  );
  const faults = [...missing.map((option) => `${option} is required`), ...invalid];
  if (faults.length > 0) throw new Error(faults.map((fault) => `--${fault}`).join('\n'));
  return { name, email, password };
}

async function createIn(databaseUrl: string, wanted: NewAccount): Promise<string> {
  const dataSource = await createDataSource(databaseUrl, ENTITIES, CONNECTIONS).initialize();
  try {
    await migrate(dataSource);
    const database = new Database(dataSource);
    const accounts = new TypeOrmAccountRepository(database, new PostgresAccountChanges(database));
    const users = new TypeOrmUserRepository(database);
    const service = new CreateAccount(database, accounts, users, new Argon2PasswordHasher(), new SystemClock());
    return (await service.create(wanted)).id;
  } finally {
    await dataSource.destroy();
  }
}
