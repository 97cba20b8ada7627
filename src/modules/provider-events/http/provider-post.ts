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

interface ProviderPost {
  types: readonly string[];
  body: ApiBodyOptions;
  /** When it answers 400. */
  malformed: string;
  /** When it answers 403. */
  unproven: string;
}

/** The bytes that a provider posts to an account, as they are proven to come from it, and why they are refused. */
export const TakesProviderPost = ({ types, body, malformed, unproven }: ProviderPost): MethodDecorator =>
  applyDecorators(
    TakesRawBody(...types),
    ApiBody(body),
    ApiBadRequestResponse({ type: ErrorResponse, description: malformed }),
    ApiForbiddenResponse({ type: ErrorResponse, description: unproven }),
    ApiNotFoundResponse({ type: ErrorResponse, description: 'No such account' }),
    ApiPayloadTooLargeResponse({ type: ErrorResponse, description: 'More than 1 MB' }),
  );
