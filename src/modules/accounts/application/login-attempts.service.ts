import { Injectable } from '@nestjs/common';

import { LOGIN_WINDOW_MS, MAX_FAILED_LOGINS, MAX_FAILED_LOGINS_PER_CLIENT } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { networkOf } from '../../../shared/ip-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { User } from '../domain/user.js';
import { type DeviceUser, KnownDevices } from './ports/known-devices.js';
import { type ThrottleSubject, Throttles } from './ports/throttles.js';

/** The client that sends a password. */
export interface LoginClient {
  /** IP address. */
  address: string;
  /** The cookie that identifies a browser in which users have signed in before. */
  deviceToken: string | undefined;
}

/** A subject that an attempt counts for, and the users whose passwords it may then be checked against. */
interface Guess {
  subject: ThrottleSubject;
  userIds: readonly string[];
}

interface CountedGuess extends Guess {
  windowEndsAt: Date;
  limitExceeded: DomainError | null;
}

/** An attempt after it was counted. */
export interface LoginAttempt {
  counted: CountedGuess[];
  /** The users whose passwords the attempt may be checked against. */
  userIds: ReadonlySet<string>;
  /** Set if the attempt may not be checked against every user of the email. */
  limitExceeded: DomainError | null;
}

const TOO_MANY_FOR_ADDRESS = 'Too many failed logins for this address';
const TOO_MANY_FROM_CLIENT = 'Too many failed logins from this client';

/**
 * Limits failed logins within 15 minutes: 10 per email from unknown browsers, 10 per browser in which the user has
 * signed in before, and 200 per client for all emails. Strangers therefore cannot lock out a user, not even by spoofing
 * the user's IP address: the limit of a client does not apply to known browsers.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly throttles: Throttles,
    private readonly devices: KnownDevices,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt before any password is verified, so that concurrent attempts cannot exceed the limit. It counts
   * for the device if the user has signed in with it before, else for the email. So attempts of a user of one account
   * neither extend nor consume the limit of a user with the same email in another account. A known device is exempt
   * from the limit of its client. Throws `limit_exceeded` if the attempt may be checked against no user.
   */
  async begin(
    email: string,
    users: readonly DeviceUser[],
    { address, deviceToken }: LoginClient,
  ): Promise<LoginAttempt> {
    const ofClient: Guess = { subject: { kind: 'client', value: networkOf(address) }, userIds: [] };
    const client = await this.count(ofClient, MAX_FAILED_LOGINS_PER_CLIENT);
    const counted = [client];
    const allowed: string[] = [];
    for (const guess of this.guesses(email, users, deviceToken)) {
      if (client.limitExceeded && guess.subject.kind !== 'device') continue;
      const result = await this.count(guess, MAX_FAILED_LOGINS);
      counted.push(result);
      if (!result.limitExceeded) allowed.push(...guess.userIds);
    }
    const limitExceeded = counted.find((guess) => guess.limitExceeded)?.limitExceeded ?? null;
    if (limitExceeded && allowed.length === 0) throw limitExceeded;
    return { counted, userIds: new Set(allowed), limitExceeded };
  }

  /**
   * Refunds an attempt with the right password of this user. If it was also checked against other users, the first use
   * of each password of this user with each email stays counted: an admin who sets the password and the email of this
   * user must not gain attempts at users of other accounts.
   */
  async succeed({ counted }: LoginAttempt, user: User): Promise<void> {
    for (const { subject, userIds, windowEndsAt, limitExceeded } of counted) {
      const wasForOthers = !limitExceeded && userIds.some((id) => id !== user.id);
      if (!wasForOthers || !(await this.isFirstUse(user))) await this.throttles.refund(subject, windowEndsAt);
    }
  }

  async removeEnded(): Promise<void> {
    await this.throttles.removeEnded(this.clock.now());
  }

  private guesses(email: string, users: readonly DeviceUser[], deviceToken: string | undefined): Guess[] {
    const guesses: Guess[] = [];
    const others: string[] = [];
    for (const user of users) {
      const device = this.devices.identify(deviceToken, user);
      if (device === null) others.push(user.id);
      else guesses.push({ subject: { kind: 'device', value: `${device}.${user.id}` }, userIds: [user.id] });
    }
    if (others.length > 0 || guesses.length === 0) guesses.push({ subject: addressOf(email), userIds: others });
    return guesses;
  }

  /** Whether the user's password is used with the user's email for the first time within the window. */
  private async isFirstUse({ id, sessionStamp, normalisedEmail }: User): Promise<boolean> {
    const value = `${id}.${sessionStamp}.${normalisedEmail}`;
    const { attempts } = await this.countOne({ kind: 'password', value }, this.clock.now());
    return attempts === 1;
  }

  private countOne(subject: ThrottleSubject, now: Date) {
    return this.throttles.count(subject, now, new Date(now.getTime() + LOGIN_WINDOW_MS));
  }

  private async count(guess: Guess, max: number): Promise<CountedGuess> {
    const { subject } = guess;
    const now = this.clock.now();
    const { attempts, windowEndsAt } = await this.countOne(subject, now);
    if (attempts <= max) return { ...guess, windowEndsAt, limitExceeded: null };
    const secondsLeft = Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1_000);
    const message = subject.kind === 'client' ? TOO_MANY_FROM_CLIENT : TOO_MANY_FOR_ADDRESS;
    return {
      ...guess,
      windowEndsAt,
      limitExceeded: new DomainError('limit_exceeded', 'rate_limited', message, secondsLeft),
    };
  }
}

const addressOf = (email: string): ThrottleSubject => ({ kind: 'address', value: email });
