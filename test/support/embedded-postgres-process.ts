import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./start-embedded-postgres.mjs', import.meta.url));

export interface PostgresProcess {
  url: string;
  /** Has the process call stop() and end. */
  stop(): Promise<void>;
  /** Ends the process with no chance to stop anything. */
  kill(): Promise<void>;
}

/** Starts an embedded PostgreSQL in a Node process of its own, optionally as another user. */
export async function startInProcess(
  options: { dataDir: string; durable?: boolean; settings?: Record<string, string> },
  account?: { uid: number; gid: number },
  through: readonly string[] = [],
): Promise<PostgresProcess> {
  const command = [process.execPath, PROGRAM, JSON.stringify({ durable: false, ...options })];
  const [file = '', ...args] = [...through, ...command];
  const child = spawn(file, args, {
    ...account,
    cwd: '/',
    env: { ...process.env, TMPDIR: options.dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('\n')) break;
  }
  const { url, error } = JSON.parse(output || '{"error":"it printed nothing"}') as { url?: string; error?: string };
  if (!url) throw new Error(error);
  return {
    url,
    stop: async () => {
      child.stdin.end('stop\n');
      await exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
