import { describe, expect, it } from '@jest/globals';

import { type LatestRecord, restoredByStart } from './consent.js';

type Given = [at: number, action: 'stop' | 'granted' | 'withdrawn', topicId?: string];
const restored = (...given: Given[]) => restoredAfter(null, ...given);
const restoredAfter = (sentAt: number | null, ...given: Given[]) =>
  restoredByStart(
    given.map(([at, action, topicId = null], i): LatestRecord => {
      const isStop = action === 'stop';
      return { id: `c${i}`, topicId, action: isStop ? 'withdrawn' : action, isStop, occurredAt: new Date(at) };
    }),
    sentAt === null ? null : new Date(sentAt),
  );

describe('START', () => {
  it('restores a consent to all topics, but not to those that the person had left', () => {
    expect(restored([1, 'granted'], [5, 'stop'])).toEqual([{ topicId: null, action: 'granted' }]);
    const left = [
      { topicId: null, action: 'granted' },
      { topicId: 'a', action: 'withdrawn' },
    ];
    expect(restored([1, 'granted'], [2, 'withdrawn', 'a'], [3, 'granted', 'b'], [5, 'stop'])).toEqual(left);
    expect(restored([1, 'granted'], [6, 'withdrawn', 'a'], [5, 'stop'])).toEqual(left);
  });

  it('restores the consents to single topics that nothing but the opt-out has withdrawn', () => {
    expect(restored([3, 'granted', 'a'], [5, 'stop'])).toEqual([{ topicId: 'a', action: 'granted' }]);
    expect(restored([2, 'withdrawn'], [1, 'granted', 'a'], [3, 'granted', 'b'], [5, 'stop'])).toEqual([
      { topicId: 'b', action: 'granted' },
    ]);
    expect(restored([5, 'stop'], [6, 'granted', 'a'])).toEqual([]);
  });

  it('grants nothing that was never granted, or stands already', () => {
    expect(restored([5, 'stop'])).toEqual([]);
    expect(restored([1, 'withdrawn'], [5, 'stop'])).toEqual([]);
    expect(restored([5, 'stop'], [6, 'granted'])).toEqual([]);
  });

  it('changes nothing without an opt-out, or after another withdrawal', () => {
    expect(restored([1, 'granted'])).toBeNull();
    expect(restored([5, 'stop'], [6, 'withdrawn'])).toBeNull();
  });

  it('changes nothing if it was sent before the opt-out was recorded, or then', () => {
    const given: Given[] = [
      [1, 'granted'],
      [5, 'stop'],
    ];
    for (const sentAt of [4, 5]) expect(restoredAfter(sentAt, ...given)).toBeNull();
    expect(restoredAfter(6, ...given)).toEqual([{ topicId: null, action: 'granted' }]);
  });
});
