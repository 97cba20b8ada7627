import { parseArgs } from 'node:util';

import { type Target, withDatabase } from './with-database.js';
import { ResetPassword } from '../modules/accounts/application/reset-password.service.js';
import { isPassword, PASSWORD_RULE } from '../modules/accounts/domain/new-account.js';
import { Argon2PasswordHasher } from '../modules/accounts/infrastructure/argon2-password-hasher.js';
import { SqlThrottles } from '../modules/accounts/infrastructure/sql-throttles.js';
import { TypeOrmUserRepository } from '../modules/accounts/infrastructure/typeorm-user.repository.js';
import type { Database } from '../platform/database/database.js';
import { SystemClock } from '../platform/system.js';

const HELP = `Sets a new password for a user who has forgotten it, whether or not the service is running, and ends all sessions of
the user.

  npm run user:password -- --email <email> [--account <id>] [--password <password>]

  --email     email address with which the user signs in
  --account   id of the account; required if the email address belongs to users of several accounts
  --password  8 to 200 characters; if not given, the first line of standard input, which a terminal does not show
  --help      prints this help

It reads DATABASE_URL and DATA_DIR like the service.`;

/** Returns the text to print. Calls `readPassword` if the arguments have no password. Throws if they are not valid. */
export async function resetPasswordFromArguments(
  args: string[],
  target: Target,
  readPassword: () => Promise<string>,
): Promise<string> {
  const text = { type: 'string' } as const;
  const help = { type: 'boolean', short: 'h' } as const;
  const { values } = parseArgs({ args, options: { email: text, account: text, password: text, help } });
  if (values.help) return HELP;
  const { email } = values;
  if (email === undefined) throw new Error('--email is required');
  const password = values.password ?? (await readPassword());
  if (!isPassword(password)) throw new Error(`--${PASSWORD_RULE}`);
  const user = await withDatabase(target, (database) => resetPassword(database).reset(email, password, values.account));
  return `The password of ${user.email} has been changed; all sessions of this user have ended.`;
}

function resetPassword(database: Database): ResetPassword {
  const users = new TypeOrmUserRepository(database);
  const throttles = new SqlThrottles(database);
  return new ResetPassword(database, users, new Argon2PasswordHasher(), throttles, new SystemClock());
}
