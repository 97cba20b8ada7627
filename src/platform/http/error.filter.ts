import { STATUS_CODES } from 'node:http';

import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';

import { DomainError, type DomainErrorKind } from '../../shared/domain-error.js';
import { codeOfStatus, type ErrorCode } from '../../shared/error-codes.js';
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

type Refusal = Pick<DomainError, 'kind' | 'message'> & { code?: ErrorCode };

/** The body for a DomainError, or for the stored fields of one. */
export const errorResponse = ({ kind, message, code }: Refusal): ErrorResponse =>
  errorBody(STATUS[kind], message, code);

export const errorBody = (
  statusCode: number,
  message: string,
  code: ErrorCode = codeOfStatus(statusCode),
): ErrorResponse => ({ message, error: STATUS_CODES[statusCode] ?? 'Error', statusCode, code });

/** Turns every error into an ErrorResponse. Unexpected errors are logged, and their details hidden from the caller. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { body, retryAfterSeconds } = this.describe(error);
    if (response.headersSent) {
      response.end();
      return;
    }
    if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
    response.status(body.statusCode).json(body);
  }

  private describe(error: unknown): { body: ErrorResponse; retryAfterSeconds?: number } {
    if (error instanceof DomainError) return { body: errorResponse(error), retryAfterSeconds: error.retryAfterSeconds };
    if (error instanceof HttpException) return { body: errorBody(error.getStatus(), error.message) };
    if (isRefusedBody(error)) return { body: errorBody(error.statusCode, error.message) };
    if (isDatabaseUnavailable(error)) {
      this.logger.warn(`The database is unavailable: ${(error as Error).message}`);
      return { body: errorBody(503, 'The service is temporarily unavailable'), retryAfterSeconds: 1 };
    }
    this.logger.error(
      error instanceof Error ? error.message : String(error),
      error instanceof Error ? error.stack : undefined,
    );
    return { body: errorBody(500, 'Internal server error') };
  }
}

/** Whether Express or one of its parsers has thrown the error for a malformed request. */
const isRefusedBody = (error: unknown): error is { statusCode: number; message: string } => {
  const { expose, statusCode } = error as { expose?: unknown; statusCode?: unknown };
  return expose === true && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
};
