import { describe, expect, it } from '@jest/globals';

import { newId } from '../../../shared/ids.js';
import { FEED_START, isAfter, readFeedCursor, writeFeedCursor } from './event-feed.js';

const ID = newId(new Date());

describe('The cursor of the event feed', () => {
  it.each([
    [FEED_START],
    [{ transaction: 4_711n, id: ID }],
    [{ transaction: 2n ** 63n - 1n, id: ID }],
    [{ transaction: 2n ** 44n + 1n, id: '' }],
  ])('names a position', (position) => {
    expect(readFeedCursor(writeFeedCursor(position))).toEqual(position);
  });

  const written = (text: string) => Buffer.from(text).toString('base64url');

  it.each([
    '',
    'x',
    '%',
    written(''),
    written('.'),
    written(`.${ID}`),
    written('-1.'),
    written('007.'),
    written('1'),
    written('1.c1'),
    written(`1.${ID.toUpperCase()}`),
    written(`1.${ID}x`),
    written(`1.${ID}\n`),
    written(`9223372036854775808.${ID}`),
    written(`99999999999999999999.${ID}`),
    `${writeFeedCursor(FEED_START)}=`,
    ` ${writeFeedCursor(FEED_START)}`,
  ])('is refused if nobody has written it: %j', (cursor) => {
    expect(() => readFeedCursor(cursor)).toThrow('after must be the nextCursor of an earlier response');
  });

  it('orders by transaction, then by id', () => {
    const [first, second, third] = [
      { transaction: 9n, id: 'cb' },
      { transaction: 10n, id: 'ca' },
      { transaction: 10n, id: 'cb' },
    ] as const;
    expect([isAfter(second, first), isAfter(third, second), isAfter(first, first), isAfter(first, third)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
