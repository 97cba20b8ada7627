import { join } from 'node:path';

import type { Config } from './config/config.js';
import { readEnvironment } from './config/env.js';
import { resolveConfig } from './config/resolve-config.js';
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.js';
import { startService } from './service.js';

async function main(): Promise<void> {
  const environment = readEnvironment();
  const embedded =
    environment.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: join(environment.dataDir, 'postgres'), onRestart: warn })
      : undefined;
  const config = await resolveConfig(environment, environment.databaseUrl ?? embedded?.url ?? '');
  const service = await startService(config).catch(async (error: unknown) => {
    await embedded?.stop();
    throw error;
  });
  stopOnSignal(config.shutdownGraceMs, async () => {
    await service.close();
    await embedded?.stop();
  });
  process.stdout.write(`${startMessage(config)}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

const startMessage = ({ port, baseUrl }: Config): string =>
  port === null
    ? 'Working on the queues; listening on no port, as PORT is not set.'
    : `Listening on port ${port}; ${baseUrl}/docs describes the API.`;

/** The first signal finishes the work in flight; a second one, or the end of the grace period, exits at once. */
function stopOnSignal(graceMs: number, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => {
      warn('Not everything finished within SHUTDOWN_GRACE_MS.');
      process.exit(1);
    }, graceMs).unref();
    stop().then(() => process.exit(0), exitWith);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function exitWith(error: unknown): void {
  warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}

main().catch((error: unknown) => {
  warn(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
