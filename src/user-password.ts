import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { readEnvironment } from './config/env.js';
import { resetPasswordFromArguments } from './user-password-command.js';

/** `npm run user:password -- --email …`. */
async function main(): Promise<void> {
  const done = await resetPasswordFromArguments(process.argv.slice(2), readEnvironment(), readPassword);
  process.stdout.write(`${done}\n`);
}

/** Reads the first line of standard input, without echo on a terminal. */
async function readPassword(): Promise<string> {
  const terminal = process.stdin.isTTY;
  if (terminal) process.stderr.write('New password: ');
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal });
  const password = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => {
      resolve('');
    });
    lines.once('SIGINT', () => process.exit(130));
  });
  lines.close();
  if (terminal) process.stderr.write('\n');
  return password;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
