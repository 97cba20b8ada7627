import { parseArgs } from 'node:util';

import { type Target, withDatabase } from './with-database.js';
import { CreateAccount } from '../modules/accounts/application/create-account.service.js';
import { faultsOf, type NewAccount } from '../modules/accounts/domain/new-account.js';
import { Argon2PasswordHasher } from '../modules/accounts/infrastructure/argon2-password-hasher.js';
import { TypeOrmAccountRepository } from '../modules/accounts/infrastructure/typeorm-account.repository.js';
import { TypeOrmUserRepository } from '../modules/accounts/infrastructure/typeorm-user.repository.js';
import { PostgresAccountChanges } from '../platform/database/postgres-account-changes.js';
import type { Database } from '../platform/database/database.js';
import { SystemClock } from '../platform/system.js';

const HELP = `Creates an account and its admin, whether or not the service is running, and prints the id of the account.

  npm run account:create -- --name <name> --email <email> --password <password>

  --name      name of the account, 1 to 100 characters
  --email     email address with which the admin signs in
  --password  password of the admin, 8 to 200 characters
  --help      prints this help

It reads DATABASE_URL and DATA_DIR like the service.`;

/** Returns the text to print: the id of the new account, or the help. Throws with all faults of the arguments. */
export async function createAccountFromArguments(args: string[], target: Target): Promise<string> {
  const wanted = readArguments(args);
  if (wanted === 'help') return HELP;
  const account = await withDatabase(target, (database) => createAccount(database).create(wanted));
  return account.id;
}

function readArguments(args: string[]): NewAccount | 'help' {
  const text = { type: 'string' } as const;
  const help = { type: 'boolean', short: 'h' } as const;
  const { values } = parseArgs({ args, options: { name: text, email: text, password: text, help } });
  if (values.help) return 'help';
  const { name = '', email = '', password = '' } = values;
  const missing = (['name', 'email', 'password'] as const).filter((option) => values[option] === undefined);
  const invalid = faultsOf({ name, email, password }).filter(
    (fault) => !missing.some((option) => fault.startsWith(option)),
  );
  const faults = [...missing.map((option) => `${option} is required`), ...invalid];
  if (faults.length > 0) throw new Error(faults.map((fault) => `--${fault}`).join('\n'));
  return { name, email, password };
}

function createAccount(database: Database): CreateAccount {
  const accounts = new TypeOrmAccountRepository(database, new PostgresAccountChanges(database));
  const users = new TypeOrmUserRepository(database);
  return new CreateAccount(database, accounts, users, new Argon2PasswordHasher(), new SystemClock());
}
