import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiConflictResponse, ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';

import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { DomainError } from '../../../shared/domain-error.js';
import { isIdempotencyKey } from '../domain/idempotency-key.js';

/** The header as received, not validated. */
export const rawIdempotencyKey = ({ headers }: Request): string | undefined =>
  headers['idempotency-key'] as string | undefined;

function read(_: unknown, context: ExecutionContext): string | undefined {
  const key = rawIdempotencyKey(context.switchToHttp().getRequest<Request>());
  if (key === undefined || isIdempotencyKey(key)) return key;
  throw DomainError.invalid('Idempotency-Key must be 1 to 255 visible ASCII characters');
}

export const IdempotencyKey = createParamDecorator(read);

export const REPLAYED_HEADER = {
  'Idempotent-Replayed': {
    description:
      'Present if a request with the same Idempotency-Key was accepted before: nothing was sent or counted again',
    schema: { type: 'boolean' },
  },
} as const;

/** Documents the Idempotency-Key header of a send. */
export const ApiIdempotencyKey = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes the send safe to repeat: a request with the same key and the same body within 24 hours gets the first response ' +
        'again, and no second message is sent. Scoped to the API key. Refused sends are not stored. For example ' +
        '`order-4711-confirmation`.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    }),
    ApiConflictResponse({
      type: ErrorResponse,
      description: 'The Idempotency-Key was used for another body or endpoint within 24 hours',
    }),
    ApiErrors({ idempotency_mismatch: true }),
  );
