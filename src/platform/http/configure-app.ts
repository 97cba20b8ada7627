import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';

import type { Config } from '../../config/config.js';
import { overloaded, RequestsInFlight } from '../metrics/requests-in-flight.js';
import { serveDashboard } from './dashboard.js';
import { API_VERSION, serveOpenApi } from './openapi.js';
import { RequestPipeline } from './request-pipeline.js';

/** Longer than a load balancer keeps an idle connection, so that it never sends a request into one that we are closing. */
const KEEP_ALIVE_MS = 75_000;
/** For the headers of a request, from its first byte or the beginning of the connection. */
const HEADERS_WITHIN_MS = 30_000;
/** For the whole of a request, a streamed one too. */
const REQUEST_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 5_000;
/** A connection that is idle in both directions for this long is closed. */
const STALLED_WITHIN_MS = 120_000;

/** What has to be set on the application itself rather than in a module. */
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
      // Where the service runs without TLS, browsers must not be sent to https.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: isHttps ? [] : null } },
      strictTransportSecurity: isHttps,
      // Browsers heed these two from a secure origin alone, and complain of them elsewhere.
      crossOriginOpenerPolicy: isHttps,
      originAgentCluster: isHttps,
    }),
  );
  const versionHeader = `X-${brand}-Version`;
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader(versionHeader, API_VERSION);
    // A cache in between does not know that answers differ by X-API-Key.
    if (request.url.startsWith('/api/')) response.setHeader('Cache-Control', 'no-store');
    next();
  });
  // The following are not routes of Nest, so LoadGuard does not see them.
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
    headersTimeout: HEADERS_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
    timeout: STALLED_WITHIN_MS,
  });
}
