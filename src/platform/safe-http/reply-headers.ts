const MAX_HEADERS = 50;
/** Limits all names and values together. */
const MAX_BYTES = 4_096;
const MAX_VALUE_BYTES = 1_024;

/** Names that contain one of these, without their hyphens, announce a credential or something derived from one. */
const SECRET_PARTS = [
  'apikey',
  'accesskey',
  'authentication',
  'authorization',
  'cookie',
  'credential',
  'csrf',
  'jwt',
  'passphrase',
  'passwd',
  'password',
  'secret',
  'session',
  'signature',
  'token',
  'xsrf',
];
/** Names that have one of these between their hyphens announce a credential, too. */
const SECRET_WORDS = new Set(['auth', 'key', 'sid']);
/** Names that only look like those of credentials. */
const ORDINARY = new Set(['idempotency-key', 'x-idempotency-key', 'surrogate-key', 'cache-key', 'x-cache-key']);
const ORDINARY_STARTS = ['access-control-', 'ratelimit', 'x-ratelimit-', 'x-rate-limit-'];

/** Names that contain one of these announce a URL, which may be relative. */
const URL_PARTS = ['link', 'location', 'redirect', 'refer', 'refresh', 'uri', 'url'];
/** The user name and password in a URL. */
const USER_INFO = /\/\/[^/?#<>"\s]*@/g;
/** The query and the fragment. They may contain characters that a URL should not, so only a delimiter ends them. */
const QUERY = /[?#][^<>"]*/g;
const PARAMETER = /[^?#&]+/g;

const REDACTED = '[redacted]';
const NOT_ASCII = /[^\x20-\x7e]/;

/**
 * Returns the start of the headers, ready to be stored: at most 50 with 4 kB in total, in their order, each value of at
 * most a kilobyte of UTF-8, without control characters. Headers that do not fit are left out. Values of a repeated
 * header are joined by commas. The value of a header that holds a credential by its name is redacted; in URLs, user
 * names, passwords and the values in the query and the fragment are. `headers` has the bytes as Latin-1 and the names
 * in lower case, as undici decodes them.
 */
export function startOfHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: [name: string, value: string][] = [];
  let left = MAX_BYTES;
  for (const [name, value = ''] of Object.entries(headers)) {
    if (kept.length === MAX_HEADERS) break;
    if (name.length > left) continue;
    const text = isSecret(name) ? REDACTED : startOf(name, [value].flat());
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(text);
    if (bytes > left) continue;
    left -= bytes;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}

function isSecret(name: string): boolean {
  if (ORDINARY.has(name) || ORDINARY_STARTS.some((ordinary) => name.startsWith(ordinary))) return false;
  const words = name.split(/[-_.]/);
  const joined = words.join('');
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PARTS.some((part) => joined.includes(part));
}

/** Decodes a value and redacts the credentials in its URLs. */
function readable(name: string, value: string): string {
  const text = NOT_ASCII.test(value) ? decode(value) : value;
  const hasUrl = text.includes('//') || URL_PARTS.some((part) => name.includes(part));
  return hasUrl ? text.replace(USER_INFO, `//${REDACTED}@`).replace(QUERY, redactParameters) : text;
}

/** Keeps the names. A parameter without a value may be a credential itself, also one that ends in the `=` of Base64. */
const redactParameters = (query: string): string =>
  query.replace(PARAMETER, (parameter) => {
    const name = parameter.slice(0, parameter.indexOf('=') + 1);
    return /[^=]/.test(parameter.slice(name.length)) ? name + REDACTED : REDACTED;
  });

/** Reads no more values than fit: a header may be repeated thousands of times. Cuts no character in two. */
function startOf(name: string, values: readonly string[]): string {
  let text = '';
  for (const [i, value] of values.entries()) {
    if (text.length > MAX_VALUE_BYTES) break;
    text += (i > 0 ? ', ' : '') + readable(name, value);
  }
  if (Buffer.byteLength(text) <= MAX_VALUE_BYTES) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_VALUE_BYTES));
  return text.slice(0, read);
}

const decode = (value: string): string =>
  new TextDecoder()
    .decode(Buffer.from(value, 'latin1'))
    .replaceAll('\t', ' ')
    .replace(/\p{Cc}/gu, '\ufffd');
