import { createAccountFromArguments } from './account-create-command.js';
import { readEnvironment } from './config/env.js';

/** `npm run account:create -- --name … --email … --password …`: prints the id of the new account. */
async function main(): Promise<void> {
  const printed = await createAccountFromArguments(process.argv.slice(2), readEnvironment());
  process.stdout.write(`${printed}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
