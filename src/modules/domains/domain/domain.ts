import type { ProviderKey } from '../../../shared/provider-key.js';
import {
  applyResult,
  type Check,
  CHECK_NAMES,
  type CheckName,
  type CheckStatus,
  type CheckResults,
  missing,
  nextCheckAt,
} from './check.js';
import type { DkimKey } from './dkim-key.js';
import { type Dmarc, UNKNOWN_DMARC } from './dmarc.js';
import type { DnsRecord } from '../../../shared/dns-record.js';

/** The outcome of registering a domain with a provider. */
export interface DomainSetup {
  /** Records that the domain's owner has to publish. */
  records: DnsRecord[];
  /** Set if the service signs; null if the provider does. */
  dkimKey: DkimKey | null;
  /** Whether its identity in SES was created. */
  createdIdentity: boolean;
}

/** The outcome of checking a domain: the records to publish and the check results. */
export interface Inspection {
  records: DnsRecord[];
  results: CheckResults;
  /** The provider had lost the domain and registered it again, so nothing is verified there any more. */
  isRecreated: boolean;
  /** Whether its identity in SES was created. */
  createdIdentity: boolean;
}

/** A check without its status, as stored: times in ISO 8601. */
interface StoredCheck {
  checkedAt: string | null;
  detail: string | null;
  failingSince: string | null;
}

type StoredDmarc = Dmarc & { checkedAt: string };

const STATUS_OF = { dkim: 'dkimStatus', spf: 'spfStatus', mailFrom: 'mailFromStatus' } as const;

/** Once all three checks have passed, the account may send from any address of the domain. */
export class Domain {
  id!: string;
  accountId!: string;
  /** Lower-cased, in punycode. Several accounts may add it, but only one can have it verified. */
  name!: string;
  /** The account's provider when the records were created. */
  providerKey!: ProviderKey;
  /** The providers in which the service created an identity for it, as opposed to finding one. */
  identityCreatedIn!: ProviderKey[];
  dkimStatus!: CheckStatus;
  spfStatus!: CheckStatus;
  mailFromStatus!: CheckStatus;
  dkimSelector!: string | null;
  /** SubjectPublicKeyInfo in base64, as published in DNS. */
  dkimPublicKey!: string | null;
  sealedDkimKey!: string | null;
  /** Records that the domain's owner has to publish; empty until the domain is set up. */
  records!: DnsRecord[];
  checks!: Partial<Record<CheckName, StoredCheck>>;
  /** Not part of the verification. Null: not looked up yet. */
  lastDmarc!: StoredDmarc | null;
  /** Null: no scheduled check. */
  nextCheckAt!: Date | null;
  /** The time when all checks first passed. */
  verifiedAt!: Date | null;
  createdAt!: Date;

  static pending(id: string, accountId: string, name: string, providerKey: ProviderKey, now: Date): Domain {
    const domain = Object.assign(new Domain(), {
      ...{ id, accountId, name, providerKey, createdAt: now, records: [], checks: {}, identityCreatedIn: [] },
      ...{ verifiedAt: null, lastDmarc: null, dkimSelector: null, dkimPublicKey: null, sealedDkimKey: null },
    });
    domain.restartChecks(now);
    return domain;
  }

  get isVerified(): boolean {
    return this.status === 'verified';
  }

  get status(): CheckStatus {
    const statuses = CHECK_NAMES.map((name) => this[STATUS_OF[name]]);
    if (statuses.includes('failed')) return 'failed';
    return statuses.includes('pending') ? 'pending' : 'verified';
  }

  get dkimKey(): DkimKey | null {
    const { dkimSelector: selector, dkimPublicKey: publicKey, sealedDkimKey: sealedKey } = this;
    return selector !== null && publicKey !== null && sealedKey !== null ? { selector, publicKey, sealedKey } : null;
  }

  check(name: CheckName): Check {
    const status = this[STATUS_OF[name]];
    const stored = this.checks[name];
    const missingSince = stored ? time(stored.failingSince) : status === 'verified' ? null : this.createdAt;
    return { status, checkedAt: time(stored?.checkedAt), detail: stored?.detail ?? null, missingSince };
  }

  /** Whether its records were created for this provider. */
  hasRecordsFor(providerKey: ProviderKey): boolean {
    return this.providerKey === providerKey && this.records.length > 0;
  }

  recordIdentity(providerKey: ProviderKey): void {
    if (!this.identityCreatedIn.includes(providerKey)) {
      this.identityCreatedIn = [...this.identityCreatedIn, providerKey];
    }
  }

  /** Restarts all checks. Keeps an existing key if there is no new one, because its record may be published. */
  setUp(providerKey: ProviderKey, { records, dkimKey }: DomainSetup, now: Date): void {
    this.providerKey = providerKey;
    this.records = records;
    if (dkimKey) {
      this.dkimSelector = dkimKey.selector;
      this.dkimPublicKey = dkimKey.publicKey;
      this.sealedDkimKey = dkimKey.sealedKey;
    }
    this.restartChecks(now);
  }

  /** Records an inspection that started at `startedAt`, unless a later one has been recorded already. */
  record({ records, results, isRecreated }: Inspection, startedAt: Date): void {
    const isOutdated = CHECK_NAMES.some((name) => (this.check(name).checkedAt ?? startedAt) > startedAt);
    if (isOutdated) return;
    this.records = records;
    if (isRecreated) this.restartChecks(startedAt);
    const { isVerified: isDomainVerified } = this;
    for (const name of CHECK_NAMES)
      this.store(name, applyResult(this.check(name), results[name], startedAt, { isDomainVerified }));
    if (!isDomainVerified && this.isVerified) this.requireAllFound(results, startedAt);
    if (this.isVerified) this.verifiedAt ??= startedAt;
    this.scheduleNext(startedAt);
  }

  /** Like `record`, for a domain that another account has verified: the DKIM check fails regardless of its result. */
  recordTaken(inspection: Inspection, startedAt: Date, detail: string): void {
    const { verifiedAt } = this;
    this.record({ ...inspection, results: { ...inspection.results, dkim: missing(detail) } }, startedAt);
    this.verifiedAt = verifiedAt;
    const dkim = this.check('dkim');
    if (dkim.checkedAt?.getTime() !== startedAt.getTime()) return;
    this.store('dkim', { ...dkim, status: 'failed' });
    this.scheduleNext(startedAt);
  }

  get dmarc(): Dmarc & { checkedAt: Date | null } {
    const { checkedAt, ...dmarc } = this.lastDmarc ?? { ...UNKNOWN_DMARC, checkedAt: null };
    return { ...dmarc, checkedAt: time(checkedAt) };
  }

  /** Records a look-up that started at `startedAt`. One without an answer changes neither status nor policy. */
  recordDmarc(found: Dmarc, startedAt: Date): void {
    const { checkedAt, status, policy } = this.dmarc;
    if (checkedAt && checkedAt > startedAt) return;
    const kept = found.status === 'unknown' ? { status, policy } : {};
    this.lastDmarc = { ...found, ...kept, checkedAt: startedAt.toISOString() };
  }

  private restartChecks(now: Date): void {
    const check: Check = { status: 'pending', checkedAt: null, detail: null, missingSince: now };
    for (const name of CHECK_NAMES) this.store(name, check);
    this.scheduleNext(now);
  }

  /** A domain becomes verified only if all its records are there at the same time: no answer is not enough then. */
  private requireAllFound(results: CheckResults, at: Date): void {
    for (const name of CHECK_NAMES)
      if (results[name].outcome !== 'found')
        this.store(name, { ...this.check(name), status: 'pending', missingSince: at });
  }

  private scheduleNext(now: Date): void {
    this.nextCheckAt = nextCheckAt(
      CHECK_NAMES.map((name) => this.check(name)),
      now,
    );
  }

  private store(name: CheckName, { status, checkedAt, detail, missingSince }: Check): void {
    this[STATUS_OF[name]] = status;
    this.checks = {
      ...this.checks,
      [name]: {
        detail,
        checkedAt: checkedAt?.toISOString() ?? null,
        failingSince: missingSince?.toISOString() ?? null,
      },
    };
  }
}

const time = (text: string | null | undefined): Date | null => (text == null ? null : new Date(text));
