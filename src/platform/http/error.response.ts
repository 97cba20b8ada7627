import { ApiProperty } from '@nestjs/swagger';

import { ERROR_CODES, type ErrorCode } from '../../shared/error-codes.js';

/** The body of every error response. */
export class ErrorResponse {
  /**
   * What went wrong. Validation errors each name their field and are joined by `; `.
   * @example "ada@example.com is suppressed"
   */
  message!: string;

  /**
   * The reason phrase of the status.
   * @example "Bad Request"
   */
  error!: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, example: 400 })
  statusCode!: number;

  /** What programs tell errors apart by. Codes are stable; new ones may be added. */
  @ApiProperty({ enum: Object.keys(ERROR_CODES), example: 'suppressed' })
  code!: ErrorCode;
}
