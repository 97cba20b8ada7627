import { type KeyObject, X509Certificate } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { DomainError } from '../../shared/domain-error.js';
import { TtlCache } from '../../concurrency/ttl-cache.js';
import { isCertificateUrl, isSubscribeUrl } from './sns-message.js';

/** SNS waits for the answer to its post for 15 seconds. */
const TIME_LIMIT_MS = 10_000;
const MAX_BYTES = 65_536;
const MAX_CACHED = 50;
const CACHED_FOR_MS = 24 * 3_600_000;
/** The time for which a URL without a certificate is not fetched again. */
const CACHED_AS_NONE_FOR_MS = 60_000;

export interface SigningCertificate {
  key: KeyObject;
  validFrom: number;
  validTo: number;
}

/** The HTTP interface of Amazon SNS for subscribers. */
@Injectable()
export class SnsGateway {
  private readonly certificates = new TtlCache<SigningCertificate | null>({
    max: MAX_CACHED,
    freshForMs: (certificate) => (certificate ? CACHED_FOR_MS : CACHED_AS_NONE_FOR_MS),
  });

  constructor(private readonly config: Config) {}

  /**
   * The certificate at this URL, valid now or not. Null if the URL is not one of SNS or holds no certificate. Throws
   * unavailable if it cannot be reached. Results are cached; forged posts can evict them.
   */
  async findCertificate(certificateUrl: string): Promise<SigningCertificate | null> {
    if (!isCertificateUrl(certificateUrl, this.config.snsSigningCertHosts)) return null;
    const { href } = new URL(certificateUrl);
    return this.certificates.get(href, () => fetchCertificate(href));
  }

  /** Confirms a subscription. Throws forbidden if the URL is not one of SNS, unavailable if that fails. */
  async confirm(subscribeUrl: string): Promise<void> {
    if (!isSubscribeUrl(subscribeUrl, this.config.snsSigningCertHosts))
      throw new DomainError('forbidden', 'forbidden', 'The SubscribeURL is not of Amazon SNS');
    const { status } = await download(subscribeUrl);
    if (status !== 200) throw unavailable(`it answered ${status}`);
  }
}

async function fetchCertificate(url: string): Promise<SigningCertificate | null> {
  const { status, body } = await download(url);
  if (status >= 500 || status === 429) throw unavailable(`it answered ${status}`);
  if (status !== 200) return null;
  try {
    const { publicKey: key, validFrom, validTo } = new X509Certificate(body);
    return { key, validFrom: Date.parse(validFrom), validTo: Date.parse(validTo) };
  } catch {
    return null; // not a certificate
  }
}

/** Follows no redirects: only this URL was checked. */
async function download(url: string): Promise<{ status: number; body: Buffer }> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break; // cancels the rest
    }
    return { status: response.status, body: Buffer.concat(chunks) };
  } catch (error) {
    throw unavailable((error as Error).message);
  }
}

/** SNS retries a post only after a 5xx. */
const unavailable = (detail: string) =>
  new DomainError('unavailable', 'provider_error', `Amazon SNS cannot be reached: ${detail}`, 20);
