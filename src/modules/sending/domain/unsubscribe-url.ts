import { DomainError } from '../../../shared/domain-error.js';

const MAX_URL_LENGTH = 2_048;
const MAX_BODY_LENGTH = 1_000_000;
const PLACEHOLDER = /\{\{\{ ?unsubscribeUrl ?\}\}\}|\{\{ ?unsubscribeUrl ?\}\}/g;

/**
 * Why the text is not allowed in a List-Unsubscribe header; undefined if it is. http is for installations without TLS.
 */
export function unsubscribeUrlFault(text: string, allowHttp: boolean): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `unsubscribeUrl must be at most ${MAX_URL_LENGTH} characters long`;
  const protocols = allowHttp ? ['https:', 'http:'] : ['https:'];
  const isUrl = /^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(text) && URL.canParse(text) && /^https?:\/\//i.test(text);
  return isUrl && protocols.includes(new URL(text).protocol)
    ? undefined
    : `unsubscribeUrl must be an absolute ${allowHttp ? 'http or https' : 'https'} URL`;
}

/**
 * Replaces `{{unsubscribeUrl}}` in a body that is no template; other braces stay. Calls `value` only if the body has
 * the placeholder. Throws `invalid`, naming the field, if the result is too long.
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
