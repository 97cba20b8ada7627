import type { Webhook } from './webhook.js';

interface FetchHeaders {
  get(name: string): string | null;
}

/**
 * The headers of a request, as a `Headers` object of `fetch` or a record of Node. Names may be in upper or lower case.
 */
export type WebhookHeaders = FetchHeaders | Readonly<Record<string, string | string[] | undefined>>;

export interface VerifyOptions {
  /** The operator's `BRAND`, which is part of the header names: `Service` in `X-Service-Signature`. */
  brand?: string;
  /** The maximum difference between the time of signing and now, in either direction; 300 by default. */
  toleranceSeconds?: number;
  /** Defaults to the current time. */
  now?: Date;
}

/** The reason why a request cannot be trusted. Its `message` is for logs, not for the response. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Resolves to the webhook, if it comes from the service, was not altered, and was signed at most `toleranceSeconds`
 * before or after now. Otherwise it rejects with a WebhookError: respond with 401.
 *
 * `rawBody` must be the body as received: JSON that is parsed and serialised again differs. `secret` is the endpoint's
 * whole signing secret, `whsec_` included. For 24 hours after a rotation the new secret and the old one both verify, so
 * that a receiver can change at any time within them. Only the timestamp and the body are signed: take the name of the
 * event from the body, and recognise a repeat or a replay by the body.
 *
 * Takes the same time wherever a signature differs, and rejects only with a WebhookError, whatever the input.
 *
 * ```ts
 * const { event, data } = await verifyWebhook(request.headers, await request.text(), secret);
 * ```
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secret: string,
  { brand = 'Service', toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<Webhook> {
  const header = (suffix: string) => readHeader(headers, `x-${brand}-${suffix}`.toLowerCase());
  const timestamp = header('timestamp');
  const signatures = [header('signature'), header('signature-previous')].filter((value) => value !== undefined);
  // Anybody can sign with no secret at all.
  if (typeof secret !== 'string' || secret === '') throw new WebhookError('There is no secret to verify with');
  if (signatures.length === 0) throw new WebhookError('There is no signature');
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) throw new WebhookError('There is no timestamp');
  // As a comparison that holds, so that a time that is not a number is refused.
  const isRecent = Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!isRecent) throw new WebhookError(`The timestamp is more than ${toleranceSeconds} seconds away`);
  const expected = await signatureOf(timestamp, bytesOf(rawBody), secret);
  if (!signatures.some((given) => isSame(given, expected))) throw new WebhookError('The signature is wrong');
  try {
    return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)) as Webhook;
  } catch {
    throw new WebhookError('The body is not JSON');
  }
}

/** Uses Web Crypto, which all runtimes have. */
async function signatureOf(timestamp: string, body: Uint8Array, secret: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign']);
  const prefix = bytesOf(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return `v1=${btoa(String.fromCharCode(...digest))}`;
}

/** Compares in constant time for a given length, which is not secret. */
function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i);
  return difference === 0;
}

/** Copies bytes, too: Web Crypto does not accept those of a shared buffer. */
const bytesOf = (data: string | Uint8Array) =>
  typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data);

const isFetchHeaders = (headers: WebhookHeaders): headers is FetchHeaders => typeof headers.get === 'function';

/** Returns the value of a header; undefined if there are several. */
function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? value : []));
  return values.length === 1 ? values[0] : undefined;
}
