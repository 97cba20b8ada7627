import { describe, expect, it } from '@jest/globals';

import { topicStates } from './topic-states';

const SINCE = '2024-02-29T10:00:00.000Z';
const topic = (id: string, byDefault: 'in' | 'out') => ({ id, name: id, byDefault });
const stands = (topicId: string | null, state: 'granted' | 'withdrawn') => ({
  ...{ purpose: 'marketing' as const, topicId, state, since: SINCE, consentId: 'c1' },
});

describe('topicStates', () => {
  const topics = [topic('a', 'in'), topic('b', 'out')];

  it('are the defaults if nothing is recorded', () => {
    const none = { ...stands(null, 'granted'), state: 'none' as const, since: null, consentId: null };
    const tracking = { ...stands(null, 'withdrawn'), purpose: 'tracking' as const };
    expect(topicStates(topics, [none, tracking])).toEqual([
      { id: 'a', name: 'a', isIn: true, since: null },
      { id: 'b', name: 'b', isIn: false, since: null },
    ]);
  });

  it('are what stands for the topic, or else for all', () => {
    const states = topicStates(topics, [stands(null, 'withdrawn'), stands('b', 'granted')]);
    expect(states.map(({ isIn, since }) => [isIn, since])).toEqual([
      [false, SINCE],
      [true, SINCE],
    ]);
  });
});
