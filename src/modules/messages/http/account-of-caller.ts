import type { Caller } from '../../../platform/http/access/caller.js';
import { listedAccountId } from '../../../shared/test-account.js';
import { inEitherAccount } from '../application/in-either-account.js';
import type { MessageLog } from '../domain/message-log.js';

const isTestKey = (caller: Caller): boolean => caller.kind === 'key' && caller.testOf !== null;

/** The account whose messages the caller lists. A test key has nothing but test messages. */
export const listedAccount = (caller: Caller, filter: { test?: 'true' }): string =>
  isTestKey(caller) ? caller.accountId : listedAccountId(caller.accountId, filter);

/** Calls `use` with the account of a message that is named by its id: a session has live and test messages. */
export const withAccountOf = <T>(caller: Caller, use: (accountId: string) => Promise<T>): Promise<T> =>
  caller.kind === 'session' ? inEitherAccount(caller.accountId, use) : use(caller.accountId);

/** Whether a message that the caller may see is a test message. */
export const isTest = (caller: Caller, { accountId }: Pick<MessageLog, 'accountId'>): boolean =>
  isTestKey(caller) || accountId !== caller.accountId;
