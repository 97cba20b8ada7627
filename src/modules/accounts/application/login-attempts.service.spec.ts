import { describe, expect, it } from '@jest/globals';

import {
  LOGIN_WINDOW_MS,
  MAX_FAILED_LOGINS as MAX,
  MAX_FAILED_LOGINS_PER_CLIENT as MAX_PER_CLIENT,
} from '../../../config/limits.js';
import { Clock } from '../../../shared/ports/clock.js';
import { LoginAttempts } from './login-attempts.service.js';
import { User } from '../domain/user.js';
import { type DeviceUser, KnownDevices } from './ports/known-devices.js';
import { type ThrottleSubject, Throttles } from './ports/throttles.js';

const EMAIL = 'ada@example.com';
const START = new Date('2027-01-04T12:00:00Z');

class ManualClock extends Clock {
  time = START;

  now(): Date {
    return this.time;
  }

  advance(ms: number): void {
    this.time = new Date(this.time.getTime() + ms);
  }
}

class InMemoryThrottles extends Throttles {
  private readonly rows = new Map<string, { attempts: number; windowEndsAt: Date }>();

  count(subject: ThrottleSubject, now: Date, newWindowEndsAt: Date) {
    const row = this.rows.get(keyOf(subject));
    const current = row && row.windowEndsAt > now ? row : { attempts: 0, windowEndsAt: newWindowEndsAt };
    const counted = { ...current, attempts: current.attempts + 1 };
    this.rows.set(keyOf(subject), counted);
    return Promise.resolve(counted);
  }

  refund(subject: ThrottleSubject, windowEndsAt: Date): Promise<void> {
    const row = this.rows.get(keyOf(subject));
    if (row?.windowEndsAt.getTime() === windowEndsAt.getTime()) row.attempts -= 1;
    return Promise.resolve();
  }

  clear(subject: ThrottleSubject): Promise<void> {
    this.rows.delete(keyOf(subject));
    return Promise.resolve();
  }

  removeEnded(now: Date): Promise<void> {
    for (const [key, { windowEndsAt }] of this.rows) if (windowEndsAt <= now) this.rows.delete(key);
    return Promise.resolve();
  }

  attempts(kind: ThrottleSubject['kind'], value: string): number {
    return this.rows.get(keyOf({ kind, value }))?.attempts ?? 0;
  }
}

const keyOf = ({ kind, value }: ThrottleSubject) => `${kind} ${value}`;

/** A token is the id of the user who has signed in with the device. */
class DevicesByUserId extends KnownDevices {
  identify(token: string | undefined, { id }: DeviceUser): string | null {
    return token === id ? `device-${id}` : null;
  }

  remember(_token: string | undefined, { id }: DeviceUser): string {
    return id;
  }
}

const user = (id: string, passwordHash = `hash of ${id}`, email = EMAIL): User =>
  Object.assign(new User(), { id, accountId: `account of ${id}`, email, normalisedEmail: email, passwordHash });

describe('LoginAttempts', () => {
  const ada = user('ada');
  const namesake = user('namesake');

  function setUp() {
    const clock = new ManualClock();
    const throttles = new InMemoryThrottles();
    const attempts = new LoginAttempts(throttles, new DevicesByUserId(), clock);
    const begin = (users: User[] = [ada], deviceToken?: string, address = '192.0.2.1') =>
      attempts.begin(EMAIL, users, { address, deviceToken });
    const fail = async (times: number, ...args: Parameters<typeof begin>) => {
      for (let i = 0; i < times; i++) await begin(...args);
    };
    return { clock, throttles, attempts, begin, fail };
  }

  it('allows the attempts up to the limit and refuses the next until the window ends', async () => {
    const { clock, begin, fail } = setUp();
    await fail(MAX);
    clock.advance(LOGIN_WINDOW_MS - 60_000);
    await expect(begin()).rejects.toMatchObject({
      kind: 'limit_exceeded',
      message: 'Too many failed logins for this address',
      retryAfterSeconds: 60,
    });
    clock.advance(60_000);
    expect(await begin()).toMatchObject({ limitExceeded: null });
  });

  it('counts attempts for an email without a user', async () => {
    const { begin, fail } = setUp();
    await fail(MAX, []);
    await expect(begin([])).rejects.toMatchObject({ kind: 'limit_exceeded' });
  });

  it('counts a known device on its own', async () => {
    const { throttles, begin, fail } = setUp();
    await fail(MAX);
    const attempt = await begin([ada], ada.id);
    expect([...attempt.userIds]).toEqual([ada.id]);
    expect(throttles.attempts('device', 'device-ada.ada')).toBe(1);
    expect(throttles.attempts('address', EMAIL)).toBe(MAX);
  });

  it('limits a known device, too', async () => {
    const { begin, fail } = setUp();
    await fail(MAX, [ada], ada.id);
    await expect(begin([ada], ada.id)).rejects.toMatchObject({ kind: 'limit_exceeded' });
  });

  it('allows only the users whose limit is not exceeded', async () => {
    const { begin, fail } = setUp();
    await fail(MAX, [ada, namesake]);
    const attempt = await begin([ada, namesake], ada.id);
    expect([...attempt.userIds]).toEqual([ada.id]);
    expect(attempt.limitExceeded).toMatchObject({ kind: 'limit_exceeded' });
  });

  it('limits a client over all emails, but not its known devices', async () => {
    const { attempts, begin } = setUp();
    for (let i = 0; i < MAX_PER_CLIENT; i++) {
      await attempts.begin(`user${i}@example.com`, [], { address: '192.0.2.1', deviceToken: undefined });
    }
    await expect(begin()).rejects.toMatchObject({ message: 'Too many failed logins from this client' });
    expect([...(await begin([ada], ada.id)).userIds]).toEqual([ada.id]);
    expect(await begin([ada], undefined, '198.51.100.1')).toMatchObject({ limitExceeded: null });
  });

  it('counts the addresses of one IPv6 network as one client', async () => {
    const { throttles, fail } = setUp();
    await fail(1, [ada], undefined, '2001:db8::1');
    await fail(1, [ada], undefined, '2001:db8::2');
    expect(throttles.attempts('client', '2001:db8::/64')).toBe(2);
  });

  it('refunds an attempt that succeeds, but none before it', async () => {
    const { throttles, attempts, begin, fail } = setUp();
    await fail(3);
    await attempts.succeed(await begin(), ada);
    expect(throttles.attempts('address', EMAIL)).toBe(3);
    expect(throttles.attempts('client', '192.0.2.1')).toBe(3);
  });

  it('keeps the first use of each password counted if it was checked against other users, too', async () => {
    const { throttles, attempts, begin } = setUp();
    const signIn = async (as: User) => {
      await attempts.succeed(await begin([ada, as]), as);
    };
    await signIn(namesake);
    await signIn(namesake);
    expect(throttles.attempts('address', EMAIL)).toBe(1);
    await signIn(user('namesake', 'another hash'));
    expect(throttles.attempts('address', EMAIL)).toBe(2);
  });

  it('keeps it counted for each email that the user is given', async () => {
    const { throttles, attempts } = setUp();
    for (const email of ['bob@example.com', EMAIL, 'bob@example.com', EMAIL]) {
      const other = user('ada', 'hash of ada', email);
      const renamed = user('namesake', 'hash of namesake', email);
      const attempt = await attempts.begin(email, [other, renamed], { address: '192.0.2.1', deviceToken: undefined });
      await attempts.succeed(attempt, renamed);
    }
    expect(throttles.attempts('address', EMAIL)).toBe(1);
    expect(throttles.attempts('address', 'bob@example.com')).toBe(1);
  });

  it('removes ended windows', async () => {
    const { clock, throttles, attempts, fail } = setUp();
    await fail(1);
    clock.advance(LOGIN_WINDOW_MS);
    await attempts.removeEnded();
    expect(throttles.attempts('address', EMAIL)).toBe(0);
  });
});
