import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Reads the first line of standard input, without echo on a terminal. */
export async function readPassword(): Promise<string> {
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
