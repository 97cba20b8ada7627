import type { AddressInfo } from 'node:net';

import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';

import { createValidationPipe } from '../../src/platform/http/validation.js';

/** Serves the module with the validation and security headers of the service, and reports the port to the parent. */
export async function listen(module: Type): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(module, { logger: false });
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(helmet());
  app.useGlobalPipes(createValidationPipe());
  await app.listen(0, '127.0.0.1');
  process.send?.({ port: (app.getHttpServer().address() as AddressInfo).port });
}
