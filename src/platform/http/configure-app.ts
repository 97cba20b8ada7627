import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';

import type { Config } from '../../config/config.js';
import { API_VERSION, serveOpenApi } from './openapi.js';

/** What has to be set on the application itself rather than in a module. */
export function configureApp(app: NestExpressApplication, { brand }: Pick<Config, 'brand'>): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(helmet());
  const versionHeader = `X-${brand}-Version`;
  app.use((_: Request, response: Response, next: NextFunction) => {
    response.setHeader(versionHeader, API_VERSION);
    next();
  });
  serveOpenApi(app);
}
