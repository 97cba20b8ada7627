import { randomBytes } from 'node:crypto';

import type { NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';

import { type Asset, type DashboardFiles, readDashboard } from './dashboard-files.js';
import { sendPage } from './html-page.js';

/** The key in `response.locals` of the function that sends the dashboard for an address without a route. */
const UNKNOWN_PAGE = 'sendUnknownPage';
/** First segments of addresses that are never pages. */
const NO_PAGES = ['api', 'assets'];

const FOR_EVER = 'public, max-age=31536000, immutable';

export interface DashboardOptions {
  /** The public address. It has a path if a proxy serves the service under one. */
  baseUrl: string;
  /** Whether there is an inbox of caught mail. */
  hasInbox: boolean;
  /** Runs before every response of the dashboard. */
  refuseOverload: RequestHandler;
}

/** Serves the dashboard at / and at the addresses of its pages. Everything else is left to the API. */
export function serveDashboard(app: NestExpressApplication, options: DashboardOptions, files = readDashboard()): void {
  const router = Router();
  router.get(['/', '/assets/:name'], options.refuseOverload);
  if (!files) router.get('/', sendMissing);
  else {
    const sendIndex = indexSender(files.page, options);
    router.get('/', sendIndex);
    router.get('/assets/:name', (request: Request<{ name: string }>, response, next) => {
      const asset = files.assets.get(request.params.name);
      if (asset) sendAsset(request, response.set('Cache-Control', FOR_EVER), asset).catch(next);
      else next();
    });
    router.get('/:address{/*rest}', (request: Request<{ address: string }>, response, next: NextFunction) => {
      const { address } = request.params;
      if (isPage(files, address, options)) {
        next();
        return;
      }
      if (isOpenedInBrowser(request) && !NO_PAGES.includes(address))
        response.locals[UNKNOWN_PAGE] = () => {
          sendIndex(request, response.status(404));
        };
      next('router');
    });
    router.get('/:address{/*rest}', options.refuseOverload, sendIndex);
  }
  // The router would answer OPTIONS for every address, including those of the API.
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (request.method === 'GET' || request.method === 'HEAD') router(request, response, next);
    else next();
  });
}

/** Returns a function that sends the dashboard with its "not found" page; undefined for a request of a program. */
export const unknownPage = (response: Response): (() => void) | undefined =>
  response.locals[UNKNOWN_PAGE] as (() => void) | undefined;

/** Programs accept anything, or JSON, so HTML as the preferred type means a browser. */
const isOpenedInBrowser = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';

const isPage = ({ addresses }: DashboardFiles, address: string, { hasInbox }: DashboardOptions): boolean =>
  addresses.has(address) && (address !== 'inbox' || hasInbox);

function indexSender(page: string, { baseUrl, hasInbox }: DashboardOptions) {
  const base = new URL(baseUrl).pathname.replace(/\/?$/, '/');
  const inbox = hasInbox ? '<meta name="inbox" content="true">' : '';
  const html = page.replace('<head>', `<head><base href="${base}">${inbox}`);
  return (_: Request, response: Response): void => {
    const nonce = randomBytes(16).toString('base64');
    response
      .set({ 'Content-Security-Policy': contentSecurityPolicy(nonce), 'Cache-Control': 'no-cache' })
      .type('html')
      .send(html.replaceAll('__NONCE__', nonce));
  };
}

/**
 * Everything comes from this service, and scripts only from files. Style sheets are files or carry the nonce: Mantine
 * writes its variables into one. Style attributes are allowed because mails have them: a message is shown in a
 * sandboxed frame (srcdoc), which inherits this policy.
 */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Sends the asset, compressed if the client accepts that. */
export async function sendAsset(request: Request, response: Response, { type, plain, gzipped }: Asset): Promise<void> {
  response.set({ 'Content-Type': type, Vary: 'Accept-Encoding' });
  if (request.acceptsEncodings('gzip') !== 'gzip') response.send(plain);
  else response.set('Content-Encoding', 'gzip').send(await gzipped());
}

function sendMissing(_: Request, response: Response): void {
  sendPage(response, 503, {
    title: 'The dashboard is not built',
    body: '<p>Build it with <code>npm run build</code> and start the service again. The API works without it: see <a href="docs">its description</a>.</p>',
  });
}
