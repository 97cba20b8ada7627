import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { CONFIRMATION_MAILS_PER_ADDRESS, FORM_CAP_PERCENT, SUBMISSIONS_PER_CLIENT } from '../../../config/limits.js';
import { networkOf } from '../../../shared/ip-address.js';
import { DAY_MS } from '../../../shared/utc.js';
import { type ThrottleSubject, Throttles } from '../../accounts/index.js';
import { DailyCaps } from '../../messages/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { Signup } from '../domain/signup.js';

const HOUR_MS = 3_600_000;

/** The limits on confirmation mails, by the names of their counts. */
const MAILS = [
  { name: 'hour', max: CONFIRMATION_MAILS_PER_ADDRESS.perHour, windowMs: HOUR_MS },
  { name: 'day', max: CONFIRMATION_MAILS_PER_ADDRESS.perDay, windowMs: DAY_MS },
];

/** Limits of an account, for all of its forms together. Exact under concurrency, across all processes. */
@Injectable()
export class SignupLimits {
  constructor(
    private readonly suppressions: SuppressionList,
    private readonly throttles: Throttles,
    private readonly caps: DailyCaps,
  ) {}

  isSuppressed({ accountId, email }: Signup): Promise<boolean> {
    return this.suppressions.isSuppressed(accountId, 'email', email);
  }

  /** Counts a submission of the client. */
  allowSubmission(accountId: string, ip: string, now: Date): Promise<boolean> {
    return this.allow(
      'signup_client',
      `${accountId} ${networkOf(ip)}`,
      { max: SUBMISSIONS_PER_CLIENT, windowMs: HOUR_MS },
      now,
    );
  }

  /** Counts a mail to the address, in the current transaction. Counts outlive sign-ups, so they hold a hash. */
  async allowMail({ accountId, normalisedEmail }: Signup, now: Date): Promise<boolean> {
    const hash = createHash('sha256').update(normalisedEmail).digest('base64');
    for (const { name, ...limit } of MAILS)
      if (!(await this.allow('signup_mail', `${name} ${accountId} ${hash}`, limit, now))) return false;
    return true;
  }

  /** Throws `daily_limit` if too little of the daily cap is left: forms leave a part of it to other mail. */
  async requireRoom(accountId: string): Promise<void> {
    const refusal = await this.caps.refusalBeyond(FORM_CAP_PERCENT, accountId);
    if (refusal) throw refusal;
  }

  private async allow(
    kind: ThrottleSubject['kind'],
    value: string,
    { max, windowMs }: { max: number; windowMs: number },
    now: Date,
  ): Promise<boolean> {
    const { attempts } = await this.throttles.count({ kind, value }, now, new Date(now.getTime() + windowMs));
    return attempts <= max;
  }
}
