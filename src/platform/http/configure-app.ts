import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';

import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_MS, REQUEST_TIMEOUT_MS, STALL_TIMEOUT_MS } from '../../config/limits.js';
import type { Config } from '../../config/config.js';
import { RequestsInFlight } from '../metrics/requests-in-flight.js';
import { OverloadError } from '../../shared/domain-error.js';
import { serveDashboard } from './dashboard.js';
import { serveOpenApi } from './openapi.js';
import { protocolFault } from './protocol-errors.js';
import { RequestPipeline } from './request-pipeline.js';
import { API_VERSION, versionHeaderOf } from './version.js';

const CHECK_EVERY_MS = 5_000;

/** Configures the parts that belong to the application rather than to a module. */
export function configureApp(
  app: NestExpressApplication,
  { brand, baseUrl, role }: Pick<Config, 'brand' | 'baseUrl' | 'role'>,
  { hasInbox = false } = {},
): void {
  app.disable('x-powered-by');
  app.disable('etag');
  const pipeline = app.get(RequestPipeline, { strict: false });
  app.use((request: Request, response: Response, next: NextFunction) => {
    pipeline.admit(request, response, next);
  });
  const isHttps = baseUrl.startsWith('https:');
  app.use(
    helmet({
      // Without TLS, browsers must not be sent to https.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: isHttps ? [] : null } },
      strictTransportSecurity: isHttps,
      // Browsers apply these two only for secure origins, and log a warning otherwise.
      crossOriginOpenerPolicy: isHttps,
      originAgentCluster: isHttps,
    }),
  );
  const versionHeader = versionHeaderOf(brand);
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader(versionHeader, API_VERSION);
    // An intermediate cache does not know that responses depend on X-API-Key.
    if (request.url.startsWith('/api/')) response.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use((request: Request, _response: Response, next: NextFunction) => {
    next(protocolFault(request));
  });
  // LoadGuard does not apply to the following, which are not routes of Nest.
  const inFlight = app.get(RequestsInFlight, { strict: false });
  const refuseOverload = (_request: Request, _response: Response, next: NextFunction) => {
    if (inFlight.isFull) next(new OverloadError());
    else next();
  };
  app.use(['/docs', '/openapi.json'], refuseOverload);
  serveOpenApi(app, brand);
  if (role !== 'worker') serveDashboard(app, { baseUrl, hasInbox, refuseOverload });
  Object.assign(app.getHttpServer(), {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    timeout: STALL_TIMEOUT_MS,
    requireHostHeader: false, // Node would refuse without a body; protocolFault does instead
  });
}
