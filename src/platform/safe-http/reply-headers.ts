const MAX_HEADERS = 50;
/** Of all names and values. */
const MAX_BYTES = 4_096;
const MAX_VALUE_BYTES = 1_024;

/** Their values are credentials, or may be. */
const SECRET =
  /^(?:set-cookie2?|cookie|(?:proxy-)?authorization|(?:proxy-)?authentication-info|x-api-key|x-(?:auth|csrf|xsrf)-token)$/;
const REDACTED = '[redacted]';
const NOT_ASCII = /[^\x20-\x7e]/;

/**
 * The start of the headers, ready to be stored: at most 50 with 4 kB in total, in their order, each value of at most a
 * kilobyte of UTF-8, without control characters. Values of a repeated header are joined by commas; those that may be
 * credentials are redacted. `headers` has the bytes as Latin-1, as undici decodes them.
 */
export function startOfHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: [name: string, value: string][] = [];
  let bytes = 0;
  for (const [name, value = ''] of Object.entries(headers)) {
    const text = SECRET.test(name) ? REDACTED : textOf(Array.isArray(value) ? value.join(', ') : value);
    bytes += name.length + Buffer.byteLength(text);
    if (bytes > MAX_BYTES || kept.length === MAX_HEADERS) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}

/** Cuts no character in two. */
function textOf(value: string): string {
  const text = NOT_ASCII.test(value) ? decode(value) : value;
  if (Buffer.byteLength(text) <= MAX_VALUE_BYTES) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_VALUE_BYTES));
  return text.slice(0, read);
}

const decode = (value: string): string =>
  new TextDecoder()
    .decode(Buffer.from(value, 'latin1'))
    .replaceAll('\t', ' ')
    .replace(/\p{Cc}/gu, '\ufffd');
