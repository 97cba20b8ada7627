import { parseArgs } from 'node:util';

import { type Target, withDatabase } from './command-database.js';
import { ResetPassword } from './modules/accounts/application/reset-password.service.js';
import { isPassword, PASSWORD_RULE } from './modules/accounts/domain/new-account.js';
import { Argon2PasswordHasher } from './modules/accounts/infrastructure/argon2-password-hasher.js';
import { SqlLoginThrottles } from './modules/accounts/infrastructure/sql-login-throttles.js';
import { TypeOrmUserRepository } from './modules/accounts/infrastructure/typeorm-user.repository.js';
import type { Database } from './platform/database/database.js';
import { SystemClock } from './platform/system-clock.js';

const HELP = `Sets a new password for a user who has forgotten it, beside a running service or not. All sessions of the user end.

  npm run user:password -- --email <email> [--account <id>] [--password <password>]

  --email     what the user signs in with
  --account   the account's id; needed where the email is a user of several accounts
  --password  8 to 200 characters; without it the first line of standard input is taken, which a terminal does not show
  --help      prints this

It reads DATABASE_URL and DATA_DIR like the service.`;

/**
 * Returns what to print. Calls `readPassword` if the arguments hold no password. Throws with all faults of the
 * arguments.
 */
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
  const throttles = new SqlLoginThrottles(database);
  return new ResetPassword(database, users, new Argon2PasswordHasher(), throttles, new SystemClock());
}
