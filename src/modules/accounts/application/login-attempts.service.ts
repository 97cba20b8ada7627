import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { networkOf } from '../../../shared/ip-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { LOGIN_WINDOW_MS, MAX_FAILED_LOGINS, MAX_FAILED_LOGINS_PER_CLIENT } from '../domain/login-throttle.js';
import { KnownDevices } from './ports/known-devices.js';
import { type LoginSubject, LoginThrottles } from './ports/login-throttles.js';

/** Where a password comes from. */
export interface LoginClient {
  /** IP address. */
  address: string;
  /** What the service has told this browser to show. */
  deviceToken: string | undefined;
}

/** A guess that has been counted. */
export interface LoginAttempt {
  client: LoginSubject;
  guesser: LoginSubject;
}

/**
 * Limits the guesses at a password: 10 in 15 minutes for an address by clients that are not known, 10 by each device
 * with which the user has signed in before, 200 by one client for any addresses. So strangers cannot lock out a user.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly throttles: LoginThrottles,
    private readonly devices: KnownDevices,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts a guess before the password is looked at, so that guesses sent at the same time are not all let through.
   * Throws limit_exceeded.
   */
  async begin(email: string, userId: string | null, { address, deviceToken }: LoginClient): Promise<LoginAttempt> {
    const client = { kind: 'client', value: networkOf(address) } as const;
    await this.count(client, MAX_FAILED_LOGINS_PER_CLIENT, 'Too many failed logins from this client');
    const device = this.devices.identify(deviceToken, userId);
    const guesser = device === null ? addressOf(email) : ({ kind: 'device', value: `${device}.${userId}` } as const);
    await this.count(guesser, MAX_FAILED_LOGINS, 'Too many failed logins for this address');
    return { client, guesser };
  }

  /** The guess was right. */
  async succeed({ client, guesser }: LoginAttempt): Promise<void> {
    await this.throttles.clear(guesser);
    await this.throttles.takeBack(client);
  }

  async forget(email: string): Promise<void> {
    await this.throttles.clear(addressOf(email));
  }

  async forgetEnded(): Promise<void> {
    await this.throttles.removeEnded(this.clock.now());
  }

  private async count(subject: LoginSubject, max: number, message: string): Promise<void> {
    const now = this.clock.now();
    const newWindowEndsAt = new Date(now.getTime() + LOGIN_WINDOW_MS);
    const { attempts, windowEndsAt } = await this.throttles.count(subject, now, newWindowEndsAt);
    if (attempts <= max) return;
    const secondsLeft = Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1_000);
    throw new DomainError('limit_exceeded', 'login_throttled', message, secondsLeft);
  }
}

const addressOf = (email: string): LoginSubject => ({ kind: 'address', value: email });
