import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { isSimulatedRecipient, isSimulatedSuppression, simulate } from './simulation.js';

const reportsOf = (channel: 'email' | 'sms', recipient: string, attempt = 1) => {
  const simulation = simulate(channel, recipient, attempt);
  return simulation.kind === 'accepted' && simulation.reports.map(({ report, afterMs }) => [report, afterMs]);
};

describe('The simulator', () => {
  it.each([
    ['ada@example.org', [['delivered', 1_000]]],
    ['bounced@example.org', [['bounced', 2_000]]],
    ['bounced+label@example.org', [['bounced', 2_000]]],
    ['bounced+one+two@example.org', [['bounced', 2_000]]],
    ['soft-bounced@example.org', [['soft_bounced', 2_000]]],
    ['complained@example.org', [['complained', 2_000]]],
    [
      'opened@example.org',
      [
        ['delivered', 1_000],
        ['opened', 2_000],
      ],
    ],
    [
      'clicked@example.org',
      [
        ['delivered', 1_000],
        ['clicked', 2_000],
      ],
    ],
    [
      'unsubscribed@example.org',
      [
        ['delivered', 1_000],
        ['unsubscribed', 2_000],
      ],
    ],
    ['bounced.not@example.org', [['delivered', 1_000]]],
    ['+bounced@example.org', [['delivered', 1_000]]],
    ['constructor@example.org', [['delivered', 1_000]]],
  ])('accepts mail to %s and reports %j', (recipient, reports) => {
    expect(reportsOf('email', recipient)).toEqual(reports);
  });

  it('refuses the first two attempts of a delayed mail', () => {
    const delayed = { kind: 'delayed', reply: '451 4.7.1 simulated', retryAfterMs: 5_000 };
    expect(simulate('email', 'delayed@example.org', 1)).toEqual(delayed);
    expect(simulate('email', 'delayed@example.org', 2)).toEqual(delayed);
    expect(reportsOf('email', 'delayed@example.org', 3)).toEqual([['delivered', 1_000]]);
  });

  it('refuses mail that is to fail for good', () => {
    expect(simulate('email', 'failed@example.org', 1)).toEqual({ kind: 'refused', reply: '550 5.7.1 simulated' });
  });

  it.each([
    ['+15005550001', [['delivered', 1_000]]],
    ['+15005550002', [['undelivered', 2_000]]],
    [
      '+15005550004',
      [
        ['delivered', 1_000],
        ['stop_reply', 2_000],
      ],
    ],
    ['+14155550100', [['delivered', 1_000]]],
  ])('accepts SMS to %s and reports %j', (recipient, reports) => {
    expect(reportsOf('sms', recipient)).toEqual(reports);
  });

  it('ignores the label after a plus sign, and the domain', () => {
    const names = ['ada', 'bounced', 'soft-bounced', 'complained', 'delayed', 'failed', 'suppressed', 'clicked'];
    const text = fc.string({ maxLength: 20 }).map((any) => any.replaceAll('@', ''));
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        text,
        text,
        fc.integer({ min: 1, max: 8 }),
        (name, label, domain, attempt) => {
          const plain = simulate('email', `${name}@example.org`, attempt);
          expect(simulate('email', `${name}+${label}@${domain}`, attempt)).toEqual(plain);
        },
      ),
    );
  });

  it('names the recipients that are refused at once', () => {
    expect(isSimulatedSuppression('email', 'suppressed+1@example.org', true)).toBe(true);
    expect(isSimulatedSuppression('email', 'suppressed+1@simulator.test', false)).toBe(true);
    expect(isSimulatedSuppression('sms', '+15005550003', false)).toBe(true);
    expect(isSimulatedSuppression('email', 'suppressed@example.org', false)).toBe(false);
    expect(isSimulatedSuppression('email', 'delayed@example.org', true)).toBe(false);
    expect(isSimulatedSuppression('sms', '+15005550004', true)).toBe(false);
  });

  it.each([
    ['email', 'ada@simulator.test', true],
    ['email', 'ada@mail.simulator.test', false],
    ['email', 'ada@notsimulator.test', false],
    ['email', 'simulator.test@example.org', false],
    ['sms', '+15005550004', true],
    ['sms', '+15005550005', false],
  ] as const)('simulates %s to %s for live keys: %s', (channel, recipient, expected) => {
    expect(isSimulatedRecipient(channel, recipient)).toBe(expected);
  });
});
