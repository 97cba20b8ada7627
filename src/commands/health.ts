import { parseArgs } from 'node:util';

import type { Environment } from '../config/config.js';

const HELP = `Asks the service with this environment, on this machine, whether it is healthy. Exits with 1 if it is not.

  node dist/main.js health [--ready]

  --ready  also fails while it cannot serve: without its database, or when overloaded (/health/ready)
  --help   prints this help

A worker needs PORT, without which it does not listen.`;

const TIMEOUT_MS = 5_000;

/** Returns the text to print: the response of the process, or the help. Throws the reason if it is not healthy. */
export async function checkHealth(args: string[], { host, port }: Environment): Promise<string> {
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({ args, options: { ready: flag, help: { ...flag, short: 'h' } } });
  if (values.help) return HELP;
  if (port === null) throw new Error('This worker listens on no port: set PORT, for health checks and metrics');
  const url = `http://${addressOf(host)}:${port}/health/${values.ready ? 'ready' : 'live'}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    const { message, cause } = error as Error;
    throw new Error(`${url} does not respond: ${cause instanceof Error ? cause.message || cause.name : message}`);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responds with ${response.status}: ${text}`);
  return text;
}

/** The address at which this machine reaches a process that listens on the host. */
function addressOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
