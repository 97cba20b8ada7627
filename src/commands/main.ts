/** The commands of an operator: `node dist/src/commands/main.js <command> [arguments]`, also available by `npm run`. */
import type { Environment } from '../config/config.js';
import { readEnvironment } from '../config/env.js';
import { createAccountFromArguments } from './account-create.js';
import { readPassword } from './read-password.js';
import { prepareRestoreFromArguments } from './restore-prepare.js';
import { rotateSecretFromArguments } from './secret-rotate.js';
import { resetPasswordFromArguments } from './user-password.js';
import { withDatabase } from './with-database.js';

/** Each command returns the text to print, and throws an error to show. */
const COMMANDS: Record<string, (args: string[], environment: Environment) => Promise<string>> = {
  'account:create': createAccountFromArguments,
  'database:migrate': (_args, environment) =>
    withDatabase(environment, () => Promise.resolve('The database has all migrations of this release.')),
  'restore:prepare': prepareRestoreFromArguments,
  'secret:rotate': rotateSecretFromArguments,
  'user:password': (args, environment) => resetPasswordFromArguments(args, environment, readPassword),
};

async function run(name: string, args: string[]): Promise<string> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Error(`The commands are ${Object.keys(COMMANDS).join(', ')}`);
  return command(args, readEnvironment());
}

const [name = '', ...args] = process.argv.slice(2);
run(name, args).then(
  (text) => {
    process.stdout.write(`${text}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
