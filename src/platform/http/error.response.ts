/** The body of every answer that is not a success. */
export class ErrorResponse {
  /**
   * What went wrong; several validation faults are joined by `; `, each naming its field.
   * @example "ada@example.com is suppressed"
   */
  message!: string;

  /**
   * The phrase of the status.
   * @example "Bad Request"
   */
  error!: string;

  /** @example 400 */
  statusCode!: number;
}
