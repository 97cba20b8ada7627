import { createHash } from 'node:crypto';

/** The length of `c` and the time. */
const PREFIX_LENGTH = 9;
const DIGITS = 16;
const DIGITS_SIZE = 36n ** BigInt(DIGITS);

/**
 * The id of an account's test account, to which the messages, contacts and suppressions of its test keys belong.
 * Derived, so that every process knows it without a look-up, and concurrent first test keys create the same row.
 */
export function testAccountIdOf(accountId: string): string {
  const digest = createHash('sha256').update(`test ${accountId}`).digest('hex');
  const digits = (BigInt(`0x${digest}`) % DIGITS_SIZE).toString(36).padStart(DIGITS, '0');
  return accountId.slice(0, PREFIX_LENGTH) + digits;
}

/** The account whose data a session lists: its own or, with `test=true`, its test account. */
export const listedAccountId = (accountId: string, { test }: { test?: 'true' }): string =>
  test === undefined ? accountId : testAccountIdOf(accountId);
