import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { networkOf } from '../../../shared/ip-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { LOGIN_WINDOW_MS, MAX_FAILED_LOGINS, MAX_FAILED_LOGINS_PER_CLIENT } from '../domain/login-throttle.js';
import type { User } from '../domain/user.js';
import { KnownDevices } from './ports/known-devices.js';
import { type LoginSubject, LoginThrottles } from './ports/login-throttles.js';

/** Where a password comes from. */
export interface LoginClient {
  /** IP address. */
  address: string;
  /** The cookie by which the service recognises a browser with which users have signed in. */
  deviceToken: string | undefined;
}

interface Guess {
  subject: LoginSubject;
  /** The users whose passwords it is checked against. */
  ids: readonly string[];
}

interface CountedGuess extends Guess {
  windowEndsAt: Date;
  limitExceeded: DomainError | null;
}

/** A guess that has been counted. */
export interface LoginAttempt {
  counted: CountedGuess[];
  /** The users against whose passwords it may be checked. */
  userIds: ReadonlySet<string>;
  /** Set where it may not be checked against all users of the address. */
  limitExceeded: DomainError | null;
}

const TOO_MANY_FOR_ADDRESS = 'Too many failed logins for this address';
const TOO_MANY_FROM_CLIENT = 'Too many failed logins from this client';

/**
 * Limits the guesses at a password: 10 in 15 minutes for an address by clients that are not known, 10 by each device
 * with which the user has signed in before, 200 by one client for any addresses. So strangers cannot lock out a user: what
 * they claim as their address, or share it with, does not count against a known device either.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly throttles: LoginThrottles,
    private readonly devices: KnownDevices,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts a guess at the passwords of all users of an address before they are looked at, so that guesses sent at the same
   * time are not all let through. Users who have signed in with this device before are counted for the device, the others
   * for the address: who is a user of one account gains no guesses at the password of another, and costs its user none.
   * A known device goes on where its client has failed too often: others share the address, or name it as theirs.
   * Throws limit_exceeded where the guess may be checked against none.
   */
  async begin(email: string, userIds: readonly string[], { address, deviceToken }: LoginClient): Promise<LoginAttempt> {
    const ofClient: Guess = { subject: { kind: 'client', value: networkOf(address) }, ids: [] };
    const client = await this.count(ofClient, MAX_FAILED_LOGINS_PER_CLIENT);
    const counts = [client];
    const allowed: string[] = [];
    for (const guess of this.guesses(email, userIds, deviceToken)) {
      if (client.limitExceeded && guess.subject.kind !== 'device') continue;
      const counted = await this.count(guess, MAX_FAILED_LOGINS);
      counts.push(counted);
      if (!counted.limitExceeded) allowed.push(...guess.ids);
    }
    const limitExceeded = counts.find((counted) => counted.limitExceeded)?.limitExceeded ?? null;
    if (limitExceeded && allowed.length === 0) throw limitExceeded;
    return { counted: counts, userIds: new Set(allowed), limitExceeded };
  }

  /**
   * The guess was right for this user. Where it was checked against others too, each further password of the user stays
   * counted once: whoever sets it, an admin of another account for instance, must gain no guesses at theirs.
   */
  async succeed({ counted }: LoginAttempt, user: User): Promise<void> {
    for (const { subject, ids, windowEndsAt, limitExceeded } of counted) {
      const wasForOthers = !limitExceeded && ids.some((id) => id !== user.id);
      if (!wasForOthers || !(await this.isFirstUse(user))) await this.throttles.takeBack(subject, windowEndsAt);
    }
  }

  async forget(email: string): Promise<void> {
    await this.throttles.clear(addressOf(email));
  }

  async forgetEnded(): Promise<void> {
    await this.throttles.removeEnded(this.clock.now());
  }

  /** Whom the guess is counted for, and the users whose passwords may be checked for that. */
  private guesses(email: string, userIds: readonly string[], deviceToken: string | undefined): Guess[] {
    const device = (id: string | null) => this.devices.identify(deviceToken, id);
    const known = userIds.filter((id) => device(id) !== null);
    const guesses = known.map((id): Guess => ({
      subject: { kind: 'device', value: `${device(id)}.${id}` },
      ids: [id],
    }));
    const others = userIds.filter((id) => !known.includes(id));
    if (others.length > 0 || known.length === 0) guesses.push({ subject: addressOf(email), ids: others });
    return guesses;
  }

  /** Of this password, within a window. */
  private async isFirstUse({ id, sessionStamp }: User): Promise<boolean> {
    const { attempts } = await this.countOne({ kind: 'password', value: `${id}.${sessionStamp}` }, this.clock.now());
    return attempts === 1;
  }

  private countOne(subject: LoginSubject, now: Date) {
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
      limitExceeded: new DomainError('limit_exceeded', 'login_throttled', message, secondsLeft),
    };
  }
}

const addressOf = (email: string): LoginSubject => ({ kind: 'address', value: email });
