import { describe, expect, it } from '@jest/globals';

import { Claims } from './claims.js';
import type { ClaimedDelivery } from './webhook-delivery.js';

/** Adds `count` claims of the account. */
function claim(claims: Claims, accountId: string, count: number): ClaimedDelivery[] {
  const deliveries = Array.from({ length: count }, () => ({ accountId }) as ClaimedDelivery);
  for (const delivery of deliveries) claims.add(delivery);
  return deliveries;
}

describe('Claims', () => {
  it('grow for every account up to a thousand', () => {
    const claims = new Claims();
    const [first] = claim(claims, 'a', 1_000);
    expect(claims.mayClaimFor('a')).toBe(false);
    expect(claims.mayClaimFor(null)).toBe(false);
    claims.delete(first!);
    for (const accountId of ['a', 'b', null]) expect(claims.mayClaimFor(accountId)).toBe(true);
    expect([...claims]).toHaveLength(999);
  });

  it('grow beyond that for an account below its equal share', () => {
    const claims = new Claims();
    claim(claims, 'a', 1_000);
    expect(claims.mayClaimFor('b')).toBe(true);
    const ofB = claim(claims, 'b', 499);
    expect(claims.mayClaimFor('b')).toBe(true);
    expect(claims.mayClaimFor('a')).toBe(false);
    claim(claims, 'b', 1);
    expect(claims.mayClaimFor('b')).toBe(false);
    for (const delivery of ofB) claims.delete(delivery);
    for (const delivery of ofB) claims.delete(delivery);
    expect(claims.size).toBe(1_001);
    expect(claims.mayClaimFor('b')).toBe(true);
  });
});
