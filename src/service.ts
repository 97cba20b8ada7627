import { type DynamicModule, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { AppModule } from './app.module.js';
import type { Config } from './config/config.js';
import { retryWhileUnreachable } from './platform/database/reach-database.js';
import { configureApp } from './platform/http/configure-app.js';
import { createLogger } from './platform/logging/log.js';
import { NestLogger } from './platform/logging/nest-logger.js';
import type { Past } from './platform/past.js';

/** Additions for the demo. */
export interface Extras {
  inbox?: DynamicModule;
  past?: Past;
}

/** Builds the service without starting it. Connects to the database, for which it waits as a start does. */
export async function createService(config: Config, { inbox, past }: Extras = {}): Promise<NestExpressApplication> {
  const log = createLogger(config);
  const module = AppModule.register(config, log, { modules: inbox && [inbox], past });
  const app = await NestFactory.create<NestExpressApplication>(module, {
    bodyParser: false,
    logger: new NestLogger(log),
    abortOnError: false,
  });
  configureApp(app, config, { hasInbox: inbox !== undefined });
  return app;
}

/**
 * Starts the roles of this process. If the database goes away before it is ready, all of it is closed and built anew: a
 * queue or worker of BullMQ connects only once.
 */
export const startService = (config: Config, extras?: Extras): Promise<NestExpressApplication> =>
  retryWhileUnreachable(config, warn, () => startOnce(config, extras));

/** `init` starts the workers, `listen` the HTTP server. */
async function startOnce(config: Config, extras?: Extras): Promise<NestExpressApplication> {
  const app = await createService(config, extras);
  try {
    await app.init();
    if (config.port !== null) await listen(app, config.port, config.host);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

const warn = (line: string): void => {
  new Logger('Start').warn(line);
};

async function listen(app: NestExpressApplication, port: number, host: string | undefined): Promise<void> {
  try {
    await (host === undefined ? app.listen(port) : app.listen(port, host));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is taken by another program; set PORT to a free one.`, { cause: error });
  }
}
