import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { AppModule } from './app.module.js';
import type { Config } from './config/config.js';
import { configureApp } from './platform/http/configure-app.js';
import { createLogger } from './platform/logging/log.js';
import { NestLogger } from './platform/logging/nest-logger.js';

/** Additions for the demo. */
export interface Extras {
  inbox?: DynamicModule;
}

/** Builds the service without starting it. */
export async function createService(config: Config, { inbox }: Extras = {}): Promise<NestExpressApplication> {
  const log = createLogger(config);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(config, log, inbox && [inbox]), {
    bodyParser: false,
    logger: new NestLogger(log),
    abortOnError: false,
  });
  configureApp(app, config, { hasInbox: inbox !== undefined });
  return app;
}

/** Starts the roles of this process: `init` starts the workers, `listen` the HTTP server. */
export async function startService(config: Config, extras?: Extras): Promise<NestExpressApplication> {
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

async function listen(app: NestExpressApplication, port: number, host: string | undefined): Promise<void> {
  try {
    await (host === undefined ? app.listen(port) : app.listen(port, host));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is taken by another program; set PORT to a free one.`, { cause: error });
  }
}
