interface ErrorKind {
  /** The HTTP statuses of the error. */
  statuses: readonly number[];
  description: string;
  /** An example of its message. */
  example: string;
}

/**
 * Every value of `code` in the body of an error response. The first one with a status is that of errors of the
 * framework with this status. The documentation, the OpenAPI document and the SDK's types are generated from this
 * table. Codes are stable: new ones may be added, none is renamed or removed within a major version.
 */
export const ERROR_CODES = {
  validation: {
    statuses: [400, 411, 415, 417],
    description:
      'The request is malformed or against a rule that has no code of its own. The message names each field or parameter at fault, unknown ones included.',
    example: 'to must be an email address',
  },
  unauthenticated: {
    statuses: [401],
    description: 'The dashboard session is missing, expired or ended, or the email or password of a login is wrong.',
    example: 'Missing session',
  },
  forbidden: {
    statuses: [403],
    description: "The user does not have the role for this, or a provider's report is not proven to be authentic.",
    example: 'This needs the role admin',
  },
  not_found: {
    statuses: [404],
    description: 'There is no such path, or no such row in this account.',
    example: 'Message not found',
  },
  conflict: {
    statuses: [409],
    description: 'The state of the resource, or another resource, does not permit it.',
    example: 'Campaign is running',
  },
  timeout: {
    statuses: [408],
    description: 'The request was not received in time. Repeat it.',
    example: 'The body took too long',
  },
  too_large: {
    statuses: [413, 431],
    description: 'The body, a part of it, or the headers are too large.',
    example: 'The body is larger than 1 MB',
  },
  rate_limited: {
    statuses: [429],
    description: 'Too many calls of this kind. `Retry-After` says when the next one may succeed.',
    example: '4 exports of this account are still running',
  },
  internal: {
    statuses: [500],
    description: 'An unexpected failure. Its details are in the log of the service.',
    example: 'Internal server error',
  },
  overloaded: {
    statuses: [503],
    description: 'The service or its database cannot take the request now. Repeat it after `Retry-After`.',
    example: 'The service is overloaded',
  },
  missing_api_key: {
    statuses: [401],
    description: 'The header `X-API-Key` is missing.',
    example: 'Missing API key',
  },
  invalid_api_key: {
    statuses: [401],
    description: 'The API key is unknown or revoked.',
    example: 'Invalid API key',
  },
  expired_api_key: {
    statuses: [401],
    description: 'The API key has reached its `expiresAt`.',
    example: 'API key expired',
  },
  ip_denied: {
    statuses: [401],
    description: "The client's address is not in the `ipAllowlist` of the API key.",
    example: 'API key denied for this client IP',
  },
  missing_scope: {
    statuses: [403],
    description: 'The API key does not have the scope that the operation needs.',
    example: 'API key is missing required scope: send',
  },
  key_daily_limit: {
    statuses: [400],
    description: 'The API key has used up its `dailyLimit` until the next UTC midnight.',
    example: 'Daily send limit reached for this API key',
  },
  daily_limit: {
    statuses: [429],
    description: 'The account has used up its daily cap until the next UTC midnight.',
    example: 'Daily send limit reached',
  },
  suppressed: {
    statuses: [400],
    description: "The address is on the account's suppression list.",
    example: 'ada@example.com is suppressed',
  },
  opted_out: {
    statuses: [400],
    description: 'The phone number has opted out of SMS.',
    example: '+12065550100 has opted out of SMS',
  },
  no_consent: {
    statuses: [400],
    description: 'The recipient lacks the consent that the account requires for campaigns.',
    example: 'ada@example.com has not consented to marketing',
  },
  sender_not_verified: {
    statuses: [400],
    description: '`fromEmail` is neither a verified sender nor an address of a verified domain of the account.',
    example: 'hello@example.com is not verified for sending',
  },
  unsubscribed_from_topic: {
    statuses: [400],
    description: 'The recipient has unsubscribed from the topic of the message.',
    example: 'ada@example.com has unsubscribed from Offers',
  },
  template_fault: {
    statuses: [400],
    description: 'A template does not exist, is malformed, or cannot be rendered with these variables.',
    example: 'html: Unclosed section "items" at 42',
  },
  missing_variable: {
    statuses: [400],
    description: 'With `strictVariables`, placeholders have no value in `variables`.',
    example: 'variables lacks firstName, city',
  },
  idempotency_mismatch: {
    statuses: [409],
    description: 'The `Idempotency-Key` was used for another request within 24 hours.',
    example: 'Idempotency-Key was used for another request within 24 hours',
  },
  provider_error: {
    statuses: [500, 503],
    description: 'The provider of the account refused the call or cannot be reached.',
    example: 'Provider error: SES did not answer in time',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_CODES;

const ENTRIES = Object.entries(ERROR_CODES) as [ErrorCode, ErrorKind][];

export const codesOfStatus = (status: number): ErrorCode[] =>
  ENTRIES.filter(([, { statuses }]) => statuses.includes(status)).map(([code]) => code);

/** The code of an error that has only a status. */
export const codeOfStatus = (status: number): ErrorCode =>
  codesOfStatus(status)[0] ?? (status < 500 ? 'validation' : 'internal');
