import type { IncomingHttpHeaders } from 'node:http';

import { applyDecorators } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  type ApiBodyOptions,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiPayloadTooLargeResponse,
} from '@nestjs/swagger';

import { ApiErrors, errorExample } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { TakesRawBody } from '../../../platform/http/raw-body.js';
import type { ProviderPost } from '../../../providers/index.js';

interface ProviderPostOptions {
  types: readonly string[];
  body: ApiBodyOptions;
  /** Describes the 400 response. */
  malformed: string;
  /** Describes the 403 response. */
  unverified: string;
}

/** A post of Amazon SNS is to be repeated if its certificate cannot be fetched, or its subscription not confirmed. */
export const SNS_UNREACHABLE = {
  type: ErrorResponse,
  examples: errorExample(503, 'Amazon SNS cannot be reached: timeout', 'provider_error'),
};

/** A handler that takes the raw body of a provider's post, with the responses that refuse it. */
export const TakesProviderPost = ({ types, body, malformed, unverified }: ProviderPostOptions): MethodDecorator =>
  applyDecorators(
    TakesRawBody(...types),
    ApiBody(body),
    ApiBadRequestResponse({ type: ErrorResponse, description: malformed }),
    ApiForbiddenResponse({ type: ErrorResponse, description: unverified }),
    ApiNotFoundResponse({ type: ErrorResponse, description: 'No such account' }),
    ApiPayloadTooLargeResponse({ type: ErrorResponse, description: 'More than 1 MB' }),
    ApiErrors({ validation: 'The body is not valid JSON', forbidden: 'The signature is not valid' }),
  );

/** `url` is the URL of the request as it was sent, for a provider whose signatures cover it. */
export const toProviderPost = (headers: IncomingHttpHeaders, body: Buffer, url = ''): ProviderPost => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')])),
  body,
  query: url.includes('?') ? url.slice(url.indexOf('?') + 1) : '',
});
