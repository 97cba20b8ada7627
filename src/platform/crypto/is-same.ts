import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, so that the duration does not reveal how much is equal. */
export const isSame = (one: string | Buffer, other: string | Buffer): boolean =>
  timingSafeEqual(digest(one), digest(other));

const digest = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
