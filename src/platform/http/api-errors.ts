import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

import { ERROR_CODES, type ErrorCode } from '../../shared/error-codes.js';
import { errorBody } from './error.filter.js';
import { ErrorResponse } from './error.response.js';

/** An example of an error body, and the meaning of its code. */
export const errorExample = (status: number, message: string, code: ErrorCode) => ({
  [code]: { summary: ERROR_CODES[code].description, value: errorBody(status, message, code) },
});

/**
 * Documents the errors that an endpoint answers besides those that all have, by their codes: with a message that it
 * gives, or `true` for that of ERROR_CODES. What they mean is described there; an `@Api…Response` may say more.
 */
export const ApiErrors = (errors: Partial<Record<ErrorCode, string | true>>): MethodDecorator & ClassDecorator =>
  applyDecorators(
    ...(Object.entries(errors) as [ErrorCode, string | true][]).map(([code, message]) => {
      const { statuses, example } = ERROR_CODES[code];
      const [status] = statuses;
      const examples = errorExample(status, message === true ? example : message, code);
      return ApiResponse({ status, type: ErrorResponse, examples });
    }),
  );
