import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { type INestApplication, NotFoundException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

import type { Express, RequestHandler } from 'express';

import { withCommonErrors } from './common-errors.js';
import { sendAsset } from './dashboard.js';
import { type Asset, readAsset } from './dashboard-files.js';
import { operationIdOf } from './operation-id.js';
import { withResponseHeaders } from './response-headers.js';
import { withStrictDocument } from './strict-document.js';
import { API_VERSION } from './version.js';

const DESCRIPTION = `Queues, delivers and tracks opt-in messages, and maintains an account-wide suppression list.

Unknown query parameters and body fields are rejected with 400, and the message names them. Links in mail, health checks,
provider events and sign-up forms ignore them, because mail clients, probes, providers and other pages add their own.
The body of a GET is not read.`;

/** All tags of operations, in the order of the documentation. */
const TAGS = {
  Sending: 'E-mails and SMS of API keys, single or in batches',
  Messages: 'What was sent and what became of it; messages that are not sent yet',
  Templates: 'Saved subjects and bodies with placeholders, and their versions',
  Contacts: 'Contacts and their lists, imports and exports',
  Consents: 'Records of who agreed to what, and who took it back',
  Topics: 'What messages are about, and what a person can unsubscribe from without losing everything else',
  'Sign-up forms': 'Forms with which people subscribe, their public pages, and the links that confirm sign-ups',
  Campaigns: 'Mailings to lists and tags of contacts',
  Suppressions: 'The addresses and numbers that nothing is sent to',
  Webhooks: 'Endpoints that hear of suppressions and replies, and the deliveries to them',
  Domains: 'Domains to send from, and their DNS records',
  Senders: 'Single addresses to send from',
  'API keys': 'The credentials of programs',
  Settings: 'The account: its providers, limits and tracking',
  SMS: 'The opt-out list of the SMS provider',
  Sessions: 'Signing in to the dashboard',
  Users: 'The users of the dashboard',
  'Provider events': 'What providers report, authenticated by signatures',
  Tracking: 'The targets of tracked links and of the pixel that counts opens',
  Unsubscribe: 'The targets of unsubscribe links',
  Operations: 'Health checks and metrics',
};

/**
 * Serves the interactive documentation at /docs and the document at /openapi.json. Both are generated once, on first
 * use.
 */
export function serveOpenApi(app: NestExpressApplication, brand: string): void {
  let document: OpenAPIObject | undefined;
  const describe = () => (document ??= describeApi(app, brand));
  let json: Buffer | undefined;
  app.use('/docs', documentationFiles());
  SwaggerModule.setup('docs', app, describe, { raw: [], customSiteTitle: 'Delivery service API' });
  const express: Express = app.getHttpAdapter().getInstance();
  express.get('/openapi.json', (_, response) => {
    response.type('json').send((json ??= Buffer.from(JSON.stringify(describe()))));
  });
}

/** Files that SwaggerModule generates. */
const GENERATED = new Set(['index.html', 'swagger-ui-init.js']);
const SERVED = /^(?:swagger-ui(?:-bundle|-standalone-preset)?\.(?:js|css)|favicon-\d+x\d+\.png|index\.css)$/;

/**
 * Serves the files of Swagger UI from memory, where they stay after the first use: a file streamed from disk stays open
 * for as long as a slow client takes.
 */
function documentationFiles(): RequestHandler {
  const require = createRequire(import.meta.resolve('@nestjs/swagger'));
  const directory = dirname(require.resolve('swagger-ui-dist/package.json'));
  const names = new Set(readdirSync(directory).filter((name) => SERVED.test(name)));
  const assets = new Map<string, Asset>();
  const find = (name: string): Asset | undefined => {
    if (names.has(name) && !assets.has(name)) assets.set(name, readAsset(join(directory, name)));
    return assets.get(name);
  };
  return (request, response, next) => {
    const name = request.path.slice(1);
    const asset = find(name);
    if (request.method !== 'GET' && request.method !== 'HEAD') next();
    else if (asset) sendAsset(request, response, asset).catch(next);
    else if (name === '' || GENERATED.has(name)) next();
    else next(new NotFoundException(`Cannot GET ${request.originalUrl}`));
  };
}

export function describeApi(app: INestApplication, brand: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Opt-in e-mail and SMS delivery service')
    .setDescription(DESCRIPTION)
    .setVersion(API_VERSION)
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The secret of an API key' }, 'apiKey')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A dashboard session' },
      'session',
    );
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const config = builder.build();
  config.info.contact = { name: 'The operator of this installation' };
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: operationIdOf });
  return withResponseHeaders(withStrictDocument(withCommonErrors(document)), brand);
}
