import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { type INestApplication, NotFoundException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

import type { Express, RequestHandler } from 'express';

import { withCommonErrors } from './common-errors.js';
import { sendAsset } from './dashboard.js';
import { readAsset } from './dashboard-files.js';
import { operationIdOf } from './operation-id.js';
import { withStrictDocument } from './strict-document.js';

/** Semantic: additive only within a major. */
export const API_VERSION = '1.0.0';

const DESCRIPTION = `Queues, delivers and tracks opt-in messages, and keeps an account-wide suppression list.

Unknown query parameters and body fields are refused with 400, which names them. Links in mails, health checks and provider
events ignore them instead: mail clients, probes and providers add their own. A GET or DELETE has no body; one is not read.`;

/** The interactive documentation at /docs, the document itself at /openapi.json; both are made once, when asked for. */
export function serveOpenApi(app: NestExpressApplication): void {
  let document: OpenAPIObject | undefined;
  const describe = () => (document ??= describeApi(app));
  let json: Buffer | undefined;
  app.use('/docs', documentationFiles());
  SwaggerModule.setup('docs', app, describe, { raw: [], customSiteTitle: 'Delivery service API' });
  const express: Express = app.getHttpAdapter().getInstance();
  express.get('/openapi.json', (_, response) => {
    response.type('json').send((json ??= Buffer.from(JSON.stringify(describe()))));
  });
}

/** What SwaggerModule makes itself. */
const GENERATED = new Set(['index.html', 'swagger-ui-init.js']);
const SERVED = /^(?:swagger-ui(?:-bundle|-standalone-preset)?\.(?:js|css)|favicon-\d+x\d+\.png|index\.css)$/;

/** The files of Swagger UI, from memory: a file that is read while it is sent stays open as long as a client likes. */
function documentationFiles(): RequestHandler {
  const require = createRequire(import.meta.resolve('@nestjs/swagger'));
  const directory = dirname(require.resolve('swagger-ui-dist/package.json'));
  const names = readdirSync(directory).filter((name) => SERVED.test(name));
  const assets = new Map(names.map((name) => [name, readAsset(join(directory, name))]));
  return (request, response, next) => {
    const name = request.path.slice(1);
    const asset = assets.get(name);
    if (request.method !== 'GET' && request.method !== 'HEAD') next();
    else if (asset) sendAsset(request, response, asset).catch(next);
    else if (name === '' || GENERATED.has(name)) next();
    else next(new NotFoundException(`Cannot GET ${request.originalUrl}`));
  };
}

export function describeApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Opt-in e-mail and SMS delivery service')
    .setDescription(DESCRIPTION)
    .setVersion(API_VERSION)
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The secret of an API key' }, 'apiKey')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A dashboard session' },
      'session',
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: operationIdOf });
  return withStrictDocument(withCommonErrors(document));
}
