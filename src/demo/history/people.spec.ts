import { describe, expect, it } from '@jest/globals';

import { isEmailAddress } from '../../shared/email-address.js';
import { people } from './people.js';
import { reactionsTo } from './readers.js';
import { SeededRandom } from './seeded-random.js';

describe('The people of the demo', () => {
  it('are different ones, and the same in every run', () => {
    const all = people(400, new SeededRandom(1));
    expect(new Set(all.map(({ email }) => email)).size).toBe(400);
    expect(all.every(({ email }) => isEmailAddress(email))).toBe(true);
    expect(people(400, new SeededRandom(1))).toEqual(all);
  });

  it('have addresses that nobody has', () => {
    const reserved = /@(?:example\.(?:org|net|com)|[a-z]+\.example)$/; // RFC 2606
    for (const { email } of people(400, new SeededRandom(1))) expect(email).toMatch(reserved);
  });

  it('live in several cities and signed up in several places', () => {
    const all = people(400, new SeededRandom(1));
    for (const name of ['city', 'signedUpAt'] as const)
      expect(new Set(all.map(({ attributes }) => attributes[name])).size).toBeGreaterThan(2);
  });

  it('read, bounce and click in an order that can be', () => {
    const random = new SeededRandom(1);
    const kind = { interest: 1, link: 'https://shop.example/' };
    for (const person of people(400, random)) {
      const reactions = reactionsTo(kind, person, random);
      const types = reactions.map(({ type }) => type);
      const possible = ['bounced', 'delivered', 'delivered,opened', 'delivered,opened,clicked'];
      expect(possible).toContain(types.join(','));
      expect(types.includes('bounced')).toBe(person.habit === 'gone');
      const times = reactions.map(({ afterMs }) => afterMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });
});
