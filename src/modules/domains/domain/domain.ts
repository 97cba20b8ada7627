import {
  afterFinding,
  type Check,
  CHECK_NAMES,
  type CheckName,
  type CheckStatus,
  type Findings,
  missing,
  nextCheckAt,
} from './check.js';
import type { DkimKey } from './dkim-key.js';
import type { DnsRecord } from './dns-record.js';
import type { SetUpFor } from '../../../shared/provider-key.js';

/** What making a domain ready gave: the records to publish, and the key that they announce where we sign ourselves. */
export interface SetUp {
  records: DnsRecord[];
  dkimKey: DkimKey | null;
  /** Whether this made its identity in SES. */
  hasMade: boolean;
}

/** The records as they should be now, and what was found of them. */
export interface Inspection {
  records: DnsRecord[];
  findings: Findings;
  /** The provider no longer had the domain: what was verified there is not any more. */
  beginsAnew: boolean;
  /** Whether this made its identity in SES. */
  hasMade: boolean;
}

/** A check beside its status, as it is stored: times in ISO 8601. */
interface CheckNote {
  checkedAt: string | null;
  detail: string | null;
  failingSince: string | null;
}

const STATUS_OF = { dkim: 'dkimStatus', spf: 'spfStatus', mailFrom: 'mailFromStatus' } as const;

/** Unverified domains of an account: each is looked up in DNS periodically. */
export const MAX_UNVERIFIED_DOMAINS = 50;

/** A domain that an account may send from with any address, once all three of its checks have passed. */
export class Domain {
  id!: string;
  accountId!: string;
  /** Lower-cased, in punycode. Several accounts may have added it; one at most has it verified. */
  name!: string;
  /** Through what the account sent when the records were made. */
  setUpFor!: SetUpFor;
  /** Where its identity in SES was made on its behalf, and did not stand already. */
  madeIn!: SetUpFor[];
  dkimStatus!: CheckStatus;
  spfStatus!: CheckStatus;
  mailFromStatus!: CheckStatus;
  dkimSelector!: string | null;
  /** SubjectPublicKeyInfo in base64, as DNS holds it. */
  dkimPublicKey!: string | null;
  sealedDkimKey!: string | null;
  /** To be published by the domain's owner; none until the domain is set up. */
  records!: DnsRecord[];
  checks!: Partial<Record<CheckName, CheckNote>>;
  /** Null: not by itself. */
  nextCheckAt!: Date | null;
  /** When all its checks had passed for the first time. */
  verifiedAt!: Date | null;
  createdAt!: Date;

  /** Not set up yet. */
  static pending(id: string, accountId: string, name: string, setUpFor: SetUpFor, now: Date): Domain {
    const domain = Object.assign(new Domain(), {
      ...{ id, accountId, name, setUpFor, createdAt: now, records: [], checks: {}, madeIn: [] },
      ...{ verifiedAt: null, dkimSelector: null, dkimPublicKey: null, sealedDkimKey: null },
    });
    domain.beginChecks(now);
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
    const note = this.checks[name];
    const missingSince = note ? time(note.failingSince) : status === 'verified' ? null : this.createdAt;
    return { status, checkedAt: time(note?.checkedAt), detail: note?.detail ?? null, missingSince };
  }

  /** Whether its records are those for what the account sends through. */
  isSetUpFor(wanted: SetUpFor): boolean {
    return this.setUpFor === wanted && this.records.length > 0;
  }

  noteMade(place: SetUpFor): void {
    if (!this.madeIn.includes(place)) this.madeIn = [...this.madeIn, place];
  }

  /** Every check begins anew. A key that the domain has already stays: its record may be published. */
  setUp(setUpFor: SetUpFor, { records, dkimKey }: SetUp, now: Date): void {
    this.setUpFor = setUpFor;
    this.records = records;
    if (dkimKey) {
      this.dkimSelector = dkimKey.selector;
      this.dkimPublicKey = dkimKey.publicKey;
      this.sealedDkimKey = dkimKey.sealedKey;
    }
    this.beginChecks(now);
  }

  /** Takes in what was asked for at `askedAt`, except where a later question has been answered already. */
  record({ records, findings, beginsAnew }: Inspection, askedAt: Date): void {
    const outdated = CHECK_NAMES.some((name) => (this.check(name).checkedAt ?? askedAt) > askedAt);
    if (outdated) return;
    this.records = records;
    if (beginsAnew) this.beginChecks(askedAt);
    for (const name of CHECK_NAMES) this.keep(name, afterFinding(this.check(name), findings[name], askedAt));
    if (this.isVerified) this.verifiedAt ??= askedAt;
    this.scheduleNext(askedAt);
  }

  /** The same where another account has the domain verified: its DKIM check fails, whatever was found. */
  recordTaken(inspection: Inspection, askedAt: Date, detail: string): void {
    const { verifiedAt } = this;
    this.record({ ...inspection, findings: { ...inspection.findings, dkim: missing(detail) } }, askedAt);
    this.verifiedAt = verifiedAt;
    const dkim = this.check('dkim');
    if (dkim.checkedAt?.getTime() !== askedAt.getTime()) return;
    this.keep('dkim', { ...dkim, status: 'failed' });
    this.scheduleNext(askedAt);
  }

  private beginChecks(now: Date): void {
    const check: Check = { status: 'pending', checkedAt: null, detail: null, missingSince: now };
    for (const name of CHECK_NAMES) this.keep(name, check);
    this.scheduleNext(now);
  }

  private scheduleNext(now: Date): void {
    this.nextCheckAt = nextCheckAt(
      CHECK_NAMES.map((name) => this.check(name)),
      now,
    );
  }

  private keep(name: CheckName, { status, checkedAt, detail, missingSince }: Check): void {
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
