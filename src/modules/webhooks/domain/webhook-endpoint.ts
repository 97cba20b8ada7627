import type { EventName } from '../../../shared/events.js';

/** Receivers have this long to learn the new secret. */
const PREVIOUS_SECRET_MS = 24 * 3_600_000;
/** A call that is repeated would push out the secret that receivers know. */
const BETWEEN_ROTATIONS_MS = 60_000;

const FRESH = { failingSince: null, undeliveredSince: null, lastUndeliveredAt: null };

export interface EndpointParts {
  url: string;
  events: EventName[];
  description: string | null;
}

/** An address in the account's own system that hears of events. */
export class WebhookEndpoint implements EndpointParts {
  id!: string;
  accountId!: string;
  url!: string;
  events!: EventName[];
  description!: string | null;
  sealedSecret!: string;
  sealedPreviousSecret!: string | null;
  previousSecretUntil!: Date | null;
  enabled!: boolean;
  /** Why the service disabled it; null while it is enabled and where a user did. */
  disabledReason!: string | null;
  disabledAt!: Date | null;
  /** The first of the failures since the last success. */
  failingSince!: Date | null;
  /** The end of the first of the deliveries that failed for good, without a success and without a day of silence since. */
  undeliveredSince!: Date | null;
  /** The end of the last of these, to the hour. */
  lastUndeliveredAt!: Date | null;
  createdAt!: Date;
  updatedAt!: Date;
  /** From then on its account does not see it any more. */
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
      ...FRESH,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
  }

  /** Absent parts are kept. Another URL and being enabled again are a fresh start: earlier failures do not count. */
  change({ enabled, ...parts }: Partial<EndpointParts & { enabled: boolean }>, now: Date): void {
    const { url = this.url, events = this.events, description = this.description } = parts;
    if (url !== this.url) Object.assign(this, FRESH);
    Object.assign(this, { url, events, description, updatedAt: now });
    if (enabled === undefined || enabled === this.enabled) return;
    const disabledAt = enabled ? null : now;
    Object.assign(this, { enabled, disabledAt, disabledReason: null, ...FRESH });
  }

  /** Clears the failing state after a success at this URL. */
  succeedAt(url: string): void {
    if (url === this.url) Object.assign(this, FRESH);
  }

  /** Of several rotations within a day only the last secret but one is still signed with. False within a minute of the last. */
  rotateSecret(sealedSecret: string, now: Date): boolean {
    const rotatedAt = (this.previousSecretUntil?.getTime() ?? -Infinity) - PREVIOUS_SECRET_MS;
    if (now.getTime() < rotatedAt + BETWEEN_ROTATIONS_MS) return false;
    this.sealedPreviousSecret = this.sealedSecret;
    this.previousSecretUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS);
    this.sealedSecret = sealedSecret;
    this.updatedAt = now;
    return true;
  }
}
