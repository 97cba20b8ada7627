import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

import { withCommonErrors } from './common-errors.js';
import { operationIdOf } from './operation-id.js';
import { withStrictDocument } from './strict-document.js';

/** Semantic: additive only within a major. */
export const API_VERSION = '1.0.0';

const DESCRIPTION = `Queues, delivers and tracks opt-in messages, and keeps an account-wide suppression list.

Unknown query parameters and body fields are refused with 400, which names them. Links in mails, health checks and provider
events ignore them instead: mail clients, probes and providers add their own. A GET or DELETE has no body; one is not read.`;

/** The interactive documentation at /docs, the document itself at /openapi.json. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Delivery service API',
  });
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
