/** The program of a process of a service with PROCESSES above 1. Started by ProcessGroup. */
import { readEnvironment } from '../config/env.js';
import { resolveConfig } from '../config/resolve-config.js';
import type { ToPrimary } from '../platform/processes/group-messages.js';
import { startService } from '../service.js';

async function main(): Promise<void> {
  const environment = readEnvironment();
  const service = await startService(await resolveConfig(environment, environment.databaseUrl ?? ''));
  let isStopping = false;
  // A terminal or supervisor may signal all processes, and then the primary does too. Only the primary enforces the
  // grace period.
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    service.close().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  send({ kind: 'ready' });
}

function fail(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  send({ kind: 'failed', reason }, () => process.exit(1));
}

const send = (message: ToPrimary, sent = (): void => undefined): void => void process.send?.(message, sent);

main().catch(fail);
