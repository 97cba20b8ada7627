import { MAX_UNSUBSCRIBE_URL_LENGTH } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { parseUrl } from '../../../shared/parse-url.js';

const MAX_BODY_LENGTH = 1_000_000;
const PLACEHOLDER = /\{\{\{ ?(?:unsubscribe|preferences)Url ?\}\}\}|\{\{ ?(?:unsubscribe|preferences)Url ?\}\}/g;

/**
 * Why the text is not allowed in a List-Unsubscribe header; undefined if it is. http is for installations without TLS.
 */
export function unsubscribeUrlFault(text: string, allowHttp: boolean): string | undefined {
  if (text.length > MAX_UNSUBSCRIBE_URL_LENGTH)
    return `unsubscribeUrl must be at most ${MAX_UNSUBSCRIBE_URL_LENGTH} characters long`;
  const protocols = allowHttp ? ['https:', 'http:'] : ['https:'];
  const isWritten = /^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(text) && /^https?:\/\//i.test(text);
  return isWritten && protocols.includes(parseUrl(text)?.protocol ?? '')
    ? undefined
    : `unsubscribeUrl must be an absolute ${allowHttp ? 'http or https' : 'https'} URL`;
}

/**
 * Replaces `{{unsubscribeUrl}}` and `{{preferencesUrl}}` in a body that is no template; other braces stay. Calls
 * `value` only if the body has one of them. Throws `invalid`, naming the field, if the result is too long.
 */
export function fillUnsubscribeUrl(field: 'html' | 'text', body: string, value: () => string): string {
  const count = body.match(PLACEHOLDER)?.length ?? 0;
  if (count === 0) return body;
  const url = value();
  if (body.length + count * url.length > MAX_BODY_LENGTH) {
    throw DomainError.invalid(`${field} is longer than ${MAX_BODY_LENGTH} characters once unsubscribeUrl is filled in`);
  }
  return body.replace(PLACEHOLDER, () => url);
}
