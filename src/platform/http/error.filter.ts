import { STATUS_CODES } from 'node:http';

import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';

import { DomainError, type DomainErrorKind } from '../../shared/domain-error.js';
import { isDatabaseUnavailable } from '../database/postgres-errors.js';
import type { ErrorResponse } from './error.response.js';

const STATUS: Record<DomainErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  limit_exceeded: 429,
  provider: 500,
  unavailable: 503,
};

/** What the body of a response says about the error. */
export const errorResponse = (kind: DomainErrorKind, message: string): ErrorResponse => ({
  message,
  error: STATUS_CODES[STATUS[kind]] ?? 'Error',
  statusCode: STATUS[kind],
});

/** Turns every error into an ErrorResponse. Unexpected errors are logged, and their details hidden from the caller. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { statusCode, message, retryAfterSeconds } = this.describe(error);
    if (response.headersSent) {
      response.end();
      return;
    }
    if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
    response
      .status(statusCode)
      .json({ message, error: STATUS_CODES[statusCode] ?? 'Error', statusCode } satisfies ErrorResponse);
  }

  private describe(error: unknown): { statusCode: number; message: string; retryAfterSeconds?: number } {
    if (error instanceof DomainError) {
      return { statusCode: STATUS[error.kind], message: error.message, retryAfterSeconds: error.retryAfterSeconds };
    }
    if (error instanceof HttpException) return { statusCode: error.getStatus(), message: error.message };
    if (isRefusedBody(error)) return { statusCode: error.statusCode, message: error.message };
    if (isDatabaseUnavailable(error)) {
      this.logger.warn(`The database is unavailable: ${(error as Error).message}`);
      return { statusCode: 503, message: 'The service is temporarily unavailable', retryAfterSeconds: 1 };
    }
    this.logger.error(
      error instanceof Error ? error.message : String(error),
      error instanceof Error ? error.stack : undefined,
    );
    return { statusCode: 500, message: 'Internal server error' };
  }
}

/** Express and its parsers throw these for malformed requests. */
const isRefusedBody = (error: unknown): error is { statusCode: number; message: string } => {
  const { expose, statusCode } = error as { expose?: unknown; statusCode?: unknown };
  return expose === true && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
};
