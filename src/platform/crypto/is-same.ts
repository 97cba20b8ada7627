import { createHash, timingSafeEqual } from 'node:crypto';

/** In a time that tells nothing of how much of them is equal. */
export const isSame = (one: string | Buffer, other: string | Buffer): boolean =>
  timingSafeEqual(digest(one), digest(other));

const digest = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
