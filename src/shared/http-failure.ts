/** A request without a response. The message can be shown to the account. */
export class HttpFailure extends Error {
  override name = 'HttpFailure';

  constructor(
    readonly reason: 'refused_address' | 'timeout' | 'network' | 'response_too_large',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
