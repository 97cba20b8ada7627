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

  /** @example 400 */
  statusCode!: number;
}
