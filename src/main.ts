import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startEmbeddedPostgres } from '../packages/embedded-postgres/src/index.js';
import type { Config, Environment } from './config/config.js';
import { readEnvironment } from './config/env.js';
import { WARNINGS } from './config/warnings.js';
import { resolveConfig } from './config/resolve-config.js';
import { maxConnectionsFor } from './platform/processes/connection-limit.js';

async function main([command, ...args]: string[]): Promise<void> {
  if (command === undefined) return serve(readEnvironment());
  if (command !== 'health')
    throw new Error(
      `There is no command ${command}: without one the service starts, and health asks whether it is healthy`,
    );
  const { checkHealth } = await import('./commands/health.js');
  process.stdout.write(`${await checkHealth(args, readEnvironment())}\n`);
}

async function serve(environment: Environment): Promise<void> {
  for (const warning of environment.warnings) warn(`Warning: ${WARNINGS[warning]}`);
  const embedded =
    environment.databaseUrl === undefined
      ? await startEmbeddedPostgres({
          dataDir: join(environment.dataDir, 'postgres'),
          settings: settingsFor(environment),
          onRestart: warn,
        })
      : undefined;
  const config = await resolveConfig(environment, environment.databaseUrl ?? embedded?.url ?? '');
  const service = await start(config).catch(async (error: unknown) => {
    await embedded?.stop();
    throw error;
  });
  stopOnSignal(config.shutdownGraceMs, async () => {
    try {
      await service.close();
    } finally {
      await embedded?.stop();
    }
  });
  process.stdout.write(`${startMessage(config)}\n`);
}

/** A single process is the service itself. If there are several, this one supervises the others and serves nothing. */
async function start(config: Config): Promise<{ close(): Promise<void> }> {
  if (config.processes === 1) return (await import('./service.js')).startService(config);
  const { ProcessGroup } = await import('./platform/processes/process-group.js');
  const { createLogger } = await import('./platform/logging/log.js');
  return ProcessGroup.start(
    config,
    createLogger(config),
    fileURLToPath(new URL('commands/group-member.js', import.meta.url)),
  );
}

/** PostgreSQL allows 100 connections by default, and keeps three of them for administrators. */
const settingsFor = (environment: Environment): Record<string, string> =>
  environment.processes === 1 ? {} : { max_connections: String(Math.max(100, maxConnectionsFor(environment) + 3)) };

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

function startMessage({ port, baseUrl, processes, submission, role }: Config): string {
  const inProcesses = processes === 1 ? '' : ` in ${processes} processes`;
  const smtpPorts = [submission?.port, submission?.tlsPort].filter((smtpPort) => smtpPort != null);
  const inSmtp = role === 'worker' || smtpPorts.length === 0 ? '' : ` and for SMTP on ${smtpPorts.join(' and ')}`;
  return port === null
    ? `Working on the queues${inProcesses}; listening on no port, as PORT is not set.`
    : `Listening on port ${port}${inSmtp}${inProcesses}; ${baseUrl}/docs describes the API.`;
}

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

main(process.argv.slice(2)).catch((error: unknown) => {
  warn(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
