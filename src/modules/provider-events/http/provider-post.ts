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

import { ErrorResponse } from '../../../platform/http/error.response.js';
import { TakesRawBody } from '../../../platform/http/raw-body.js';
import type { VendorPost } from '../application/ports/event-vendor.js';
import type { SnsPost } from '../application/verify-sns.service.js';

interface ProviderPostOptions {
  types: readonly string[];
  body: ApiBodyOptions;
  /** Describes the 400 response. */
  malformed: string;
  /** Describes the 403 response. */
  unverified: string;
}

/** A handler that takes the raw body of a provider's post, with the responses that refuse it. */
export const TakesProviderPost = ({ types, body, malformed, unverified }: ProviderPostOptions): MethodDecorator =>
  applyDecorators(
    TakesRawBody(...types),
    ApiBody(body),
    ApiBadRequestResponse({ type: ErrorResponse, description: malformed }),
    ApiForbiddenResponse({ type: ErrorResponse, description: unverified }),
    ApiNotFoundResponse({ type: ErrorResponse, description: 'No such account' }),
    ApiPayloadTooLargeResponse({ type: ErrorResponse, description: 'More than 1 MB' }),
  );

export const toSnsPost = (headers: IncomingHttpHeaders, body: Buffer): SnsPost => ({
  messageType: textOf(headers['x-amz-sns-message-type']),
  messageId: textOf(headers['x-amz-sns-message-id']),
  isRawDelivery: headers['x-amz-sns-rawdelivery'] === 'true',
  body,
});

export const toVendorPost = (headers: IncomingHttpHeaders, body: Buffer): VendorPost => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')])),
  body,
});

const textOf = (header: string | string[] | undefined): string | null => (typeof header === 'string' ? header : null);
