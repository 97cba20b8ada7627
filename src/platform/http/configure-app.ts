import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';

import type { Config } from '../../config/config.js';
import { overloaded, RequestsInFlight } from '../metrics/requests-in-flight.js';
import { serveDashboard } from './dashboard.js';
import { API_VERSION, serveOpenApi } from './openapi.js';
import { RequestPipeline } from './request-pipeline.js';

/** Longer than load balancers keep idle connections, so that they do not use one that is being closed. */
const KEEP_ALIVE_MS = 75_000;
/** For receiving the headers, from the first byte of the request or the start of the connection. */
const HEADERS_TIMEOUT_MS = 30_000;
/** For receiving a whole request, including a streamed one. */
const REQUEST_TIMEOUT_MS = 300_000;
const CHECK_EVERY_MS = 5_000;
/** For a connection without traffic in either direction. */
const STALL_TIMEOUT_MS = 120_000;

/** Configures what belongs to the application rather than to a module. */
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
  const versionHeader = `X-${brand}-Version`;
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader(versionHeader, API_VERSION);
    // An intermediate cache does not know that responses depend on X-API-Key.
    if (request.url.startsWith('/api/')) response.setHeader('Cache-Control', 'no-store');
    next();
  });
  // LoadGuard does not apply to the following, which are not routes of Nest.
  const inFlight = app.get(RequestsInFlight, { strict: false });
  const refuseOverload = (_request: Request, _response: Response, next: NextFunction) => {
    if (inFlight.isFull) next(overloaded());
    else next();
  };
  app.use(['/docs', '/openapi.json'], refuseOverload);
  serveOpenApi(app);
  if (role !== 'worker') serveDashboard(app, { baseUrl, hasInbox, refuseOverload });
  Object.assign(app.getHttpServer(), {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    timeout: STALL_TIMEOUT_MS,
  });
}
