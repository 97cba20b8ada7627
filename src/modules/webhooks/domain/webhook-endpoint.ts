import { randomBytes } from 'node:crypto';

import { DISABLE_AFTER_DAYS, MIN_ROTATION_INTERVAL_MS, PREVIOUS_SECRET_MS } from '../../../config/limits.js';
import type { EventName } from '../../../shared/events.js';

const SECRET_BYTES = 32;

/**
 * A gap of more than this between two deliveries that failed for good starts the count of `DISABLE_AFTER_DAYS` again:
 * an endpoint without events is not failing.
 */
export const MAX_DAYS_BETWEEN_FAILURES = 1;
/** `lastUndeliveredAt` is written at most this often. */
export const FAILURE_PRECISION_HOURS = 1;
export const FAILING_REASON = `Every delivery has failed for ${DISABLE_AFTER_DAYS} days`;

const NO_FAILURES = { failingSince: null, undeliveredSince: null, lastUndeliveredAt: null };

export interface EndpointParts {
  url: string;
  events: EventName[];
  description: string | null;
  /** Whether the endpoint also receives events of messages of test keys. */
  testEvents: boolean;
}

/** `whsec_` and the base64 of 32 random bytes. The HMAC key is this whole text, prefix included, in UTF-8. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** A URL of the account's own system that receives events. */
export class WebhookEndpoint implements EndpointParts {
  id!: string;
  accountId!: string;
  url!: string;
  events!: EventName[];
  description!: string | null;
  testEvents!: boolean;
  sealedSecret!: string;
  sealedPreviousSecret!: string | null;
  previousSecretUntil!: Date | null;
  enabled!: boolean;
  /** Why the service disabled the endpoint; null if it is enabled or a user disabled it. */
  disabledReason!: string | null;
  disabledAt!: Date | null;
  /** The first failed attempt since the last success. */
  failingSince!: Date | null;
  /** The time when the first delivery of the current run of permanent failures ended. */
  undeliveredSince!: Date | null;
  /** The time when the last delivery of that run ended, to the hour. */
  lastUndeliveredAt!: Date | null;
  createdAt!: Date;
  updatedAt!: Date;
  /** Hidden from the account from then on, and removed soon after. */
  deletedAt!: Date | null;

  static create(id: string, accountId: string, parts: EndpointParts, sealedSecret: string, now: Date): WebhookEndpoint {
    return Object.assign(new WebhookEndpoint(), {
      id,
      accountId,
      ...parts,
      sealedSecret,
      sealedPreviousSecret: null,
      previousSecretUntil: null,
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      ...NO_FAILURES,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
  }

  /** Absent parts are kept. A new URL and enabling the endpoint again discard its earlier failures. */
  change({ enabled, ...parts }: Partial<EndpointParts & { enabled: boolean }>, now: Date): void {
    const { url = this.url, events = this.events, description = this.description } = parts;
    const { testEvents = this.testEvents } = parts;
    if (url !== this.url) Object.assign(this, NO_FAILURES);
    Object.assign(this, { url, events, description, testEvents, updatedAt: now });
    if (enabled === undefined || enabled === this.enabled) return;
    const disabledAt = enabled ? null : now;
    Object.assign(this, { enabled, disabledAt, disabledReason: null, ...NO_FAILURES });
  }

  /** Clears the failing state, unless the URL has changed since. */
  recordSuccess(url: string): void {
    if (url === this.url) Object.assign(this, NO_FAILURES);
  }

  /** Only the directly preceding secret stays in use. Returns false within a minute of the last rotation. */
  rotateSecret(sealedSecret: string, now: Date): boolean {
    const rotatedAt = (this.previousSecretUntil?.getTime() ?? -Infinity) - PREVIOUS_SECRET_MS;
    if (now.getTime() < rotatedAt + MIN_ROTATION_INTERVAL_MS) return false;
    this.sealedPreviousSecret = this.sealedSecret;
    this.previousSecretUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS);
    this.sealedSecret = sealedSecret;
    this.updatedAt = now;
    return true;
  }
}
