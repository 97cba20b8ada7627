import { STATUS_CODES } from 'node:http';

import { codeOfStatus, codesOfStatus, type ErrorCode } from '../../src/shared/error-codes.js';

/** Messages by which the code is known. */
const CODES: readonly [RegExp, ErrorCode][] = [
  [/^Missing API key/, 'missing_api_key'],
  [/^Invalid API key$/, 'invalid_api_key'],
  [/^API key expired$/, 'expired_api_key'],
  [/^API key denied for this client IP$/, 'ip_denied'],
  [/^API key is missing required scope: /, 'missing_scope'],
  [/^Daily send limit reached for this API key$/, 'key_daily_limit'],
  [/^Daily (send )?limit\b.* reached$/, 'daily_limit'],
  [/^\S+ is suppressed$/, 'suppressed'],
  [/ has opted out of SMS$/, 'opted_out'],
  [/^\S+ has not consented to marketing$/, 'no_consent'],
  [/^\S+ is not verified for sending$/, 'sender_not_verified'],
  [/^Idempotency-Key was used for another request/, 'idempotency_mismatch'],
  [/^Provider error: /, 'provider_error'],
  [/^(subject|html|text): /, 'template_fault'],
  [/^(subject|html|text) (has a tag|has more than \d+ (tags|variables)|nests sections)/, 'template_fault'],
  [/^(subject|html|text) must not (use partials|change the delimiters)/, 'template_fault'],
  [/^(subject|html|text) is longer than \d+ characters( once its variables are filled in)?$/, 'template_fault'],
  [/^subject must not hold .* once its variables are filled in$/, 'template_fault'],
  [/^subject, html and text take more than \d+ steps/, 'template_fault'],
  [/^templateId: template not found$/, 'template_fault'],
];

/** That of all faults of the message, those of a batch included, if they have the same. */
function codeOf(statusCode: number, message: string): ErrorCode {
  if (typeof message !== 'string') return codeOfStatus(statusCode); // a matcher of @jest/globals
  const faults = message.split('; ').map((fault) => fault.replace(/^messages\[\d+\](: |\.)/, ''));
  const codes = new Set(faults.map((fault) => CODES.find(([wording]) => wording.test(fault))?.[1]));
  const [code] = codes;
  return (codes.size === 1 ? code : undefined) ?? codeOfStatus(statusCode);
}

/** The complete body of an error response. */
export const errorBody = (
  statusCode: number,
  message: string,
  code: ErrorCode = codeOf(statusCode, message),
): { message: string; error: string | undefined; statusCode: number; code: ErrorCode } => ({
  message,
  error: STATUS_CODES[statusCode],
  statusCode,
  code,
});

export const badRequest = (message: string, code?: ErrorCode) => errorBody(400, message, code);

/** What is wrong with a body of an error response: its fields, its status, or a code that does not go with it. */
export function errorFault(status: number, body: unknown): string | undefined {
  const { message, error, statusCode, code, ...others } = body as Record<string, unknown>;
  const isError =
    typeof message === 'string' &&
    error === STATUS_CODES[status] &&
    statusCode === status &&
    codesOfStatus(status).includes(code as ErrorCode) &&
    Object.keys(others).length === 0;
  return isError ? undefined : `no error body of the status ${status}: ${JSON.stringify(body)}`;
}
