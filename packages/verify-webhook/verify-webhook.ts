import { createHmac, timingSafeEqual } from 'node:crypto';

interface FetchHeaders {
  get(name: string): string | null;
}

/** Of `fetch` and its relatives, or of Node; names in any case. */
export type WebhookHeaders = FetchHeaders | Readonly<Record<string, string | string[] | undefined>>;

export interface VerifyOptions {
  /** The word in the names of the headers, `Service` in `X-Service-Signature`: what the operator has set as `BRAND`. */
  brand?: string;
  /** How far the time of signing may be from now, in either direction. */
  toleranceSeconds?: number;
}

/**
 * Whether a webhook comes from the service, was not altered, and was signed within the last 300 seconds.
 *
 * `rawBody` has to be the body as it came: what is parsed and written again differs. `secret` is the endpoint's whole
 * signing secret, `whsec_` included. For 24 hours after a rotation the new secret and the old one both verify, so that
 * a receiver can change at any time within them. Only the timestamp and the body are signed: take the name of the event
 * from the body, and know what came before, a repeat or a replay, by the body.
 *
 * Takes the same time wherever a signature differs, and never throws because of what came.
 *
 * ```ts
 * if (!verifyWebhook(request.headers, rawBody, secret, new Date())) return response.writeHead(401).end();
 * ```
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secret: string,
  now: Date,
  options: VerifyOptions = {},
): boolean {
  return webhookFault(headers, rawBody, secret, now, options) === null;
}

/** Like `verifyWebhook`, for logs: why a webhook is not to be trusted, null where it is. */
export function webhookFault(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secret: string,
  now: Date,
  { brand = 'Service', toleranceSeconds = 300 }: VerifyOptions = {},
): string | null {
  const header = (suffix: string) => readHeader(headers, `x-${brand}-${suffix}`.toLowerCase());
  const timestamp = header('timestamp');
  const signatures = [header('signature'), header('signature-previous')].filter((value) => value !== undefined);
  // Anybody can sign with no secret at all.
  if (typeof secret !== 'string' || secret === '') return 'There is no secret to verify with';
  if (signatures.length === 0) return 'There is no signature';
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return 'There is no timestamp';
  // As a comparison that holds, so that a time that is not a number is refused.
  const isRecent = Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!isRecent) return `The timestamp is more than ${toleranceSeconds} seconds away`;
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('base64');
  const expected = Buffer.from(`v1=${hmac}`);
  return signatures.some((signature) => isSame(Buffer.from(signature), expected)) ? null : 'The signature is wrong';
}

/** Only the length, which everybody knows, shows in the time that it takes. */
const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);

const isFetchHeaders = (headers: WebhookHeaders): headers is FetchHeaders => typeof headers.get === 'function';

/** A header that came more than once is as good as none. */
function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? value : []));
  return values.length === 1 ? values[0] : undefined;
}
