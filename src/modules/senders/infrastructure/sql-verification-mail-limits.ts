import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { VERIFICATION_MAILS_PER_DAY, VERIFICATION_MAIL_INTERVAL_SECONDS } from '../../../config/limits.js';
import { Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../shared/domain-error.js';
import { DAY_MS, dayOf, isoDay } from '../../../shared/utc.js';
import { VerificationMailLimits } from '../application/ports/sender-verification.js';
import { mailboxOf } from '../domain/verification-mail.js';

@Injectable()
export class SqlVerificationMailLimits extends VerificationMailLimits {
  constructor(private readonly database: Database) {
    super();
  }

  /** All callers lock the rows in the same order; the row that accounts share is last, so it is locked briefly. */
  async reserve(accountId: string, normalisedEmail: string, now: Date): Promise<void> {
    const pair = pairOf(accountId, normalisedEmail);
    const { accountAndAddress, account, address } = VERIFICATION_MAILS_PER_DAY;
    if (!(await this.count(pair, accountAndAddress, now))) throw await this.refusalOf(pair, now);
    if (!(await this.count(`account ${accountId}`, account, now))) throw tooMany(ACCOUNT_LIMIT, now);
    if (!(await this.count(`address ${hashOf(mailboxOf(normalisedEmail))}`, address, now)))
      throw tooMany(ADDRESS_LIMIT, now);
  }

  async allowNext(accountId: string, normalisedEmail: string): Promise<void> {
    await this.database.query('UPDATE verification_mail_counts SET last_mailed_at = NULL WHERE subject = $1', [
      pairOf(accountId, normalisedEmail),
    ]);
  }

  async deleteOldDaysAcrossAccounts(now: Date): Promise<void> {
    await this.database.deleteInBatches('verification_mail_counts', 'day < $1::date - 1', [isoDay(now)]);
  }

  private async count(subject: string, limit: number, now: Date): Promise<boolean> {
    const interval = subject.startsWith('pair ') ? VERIFICATION_MAIL_INTERVAL_SECONDS : 0;
    return (await this.database.query(COUNT, [subject, isoDay(now), now, limit, interval])).length > 0;
  }

  private async refusalOf(pair: string, now: Date): Promise<DomainError> {
    const [row] = await this.database.query<{ mailedAt: Date | null }>(
      'SELECT last_mailed_at AS "mailedAt" FROM verification_mail_counts WHERE subject = $1',
      [pair],
    );
    const agoMs = row?.mailedAt ? now.getTime() - row.mailedAt.getTime() : Infinity;
    const waitSeconds = Math.ceil(VERIFICATION_MAIL_INTERVAL_SECONDS - agoMs / 1_000);
    if (waitSeconds <= 0) return tooMany(ADDRESS_LIMIT, now);
    return new DomainError('limit_exceeded', 'rate_limited', MAILED_RECENTLY, waitSeconds);
  }
}

const MAILED_RECENTLY = 'The last verification mail was sent less than a minute ago';
const ACCOUNT_LIMIT = 'Daily limit of verification mails reached for this account';
const ADDRESS_LIMIT = 'Daily limit of verification mails reached for this address';

function tooMany(message: string, now: Date): DomainError {
  const secondsLeft = Math.ceil((dayOf(now).getTime() + DAY_MS - now.getTime()) / 1_000);
  return new DomainError('limit_exceeded', 'rate_limited', message, secondsLeft);
}

const pairOf = (accountId: string, normalisedEmail: string) => `pair ${accountId} ${hashOf(normalisedEmail)}`;

/** Counts outlive their senders, so they must not contain addresses. */
const hashOf = (normalisedEmail: string) => createHash('sha256').update(normalisedEmail).digest('base64');

/** One row per subject, for its latest day. Returns no row if the limit is reached or the last mail is too recent. */
const COUNT = `
  INSERT INTO verification_mail_counts AS c (subject, day, mails, last_mailed_at) VALUES ($1, $2, 1, $3)
  ON CONFLICT (subject) DO UPDATE SET
    mails = CASE WHEN c.day < excluded.day THEN 1 ELSE c.mails + 1 END,
    day = greatest(c.day, excluded.day),
    last_mailed_at = greatest(c.last_mailed_at, excluded.last_mailed_at)
  WHERE (c.day < excluded.day OR c.mails < $4)
    AND ($5 = 0 OR c.last_mailed_at IS NULL OR c.last_mailed_at <= excluded.last_mailed_at - make_interval(secs => $5))
  RETURNING subject`;
