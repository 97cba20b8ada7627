import { describe, expect, it } from '@jest/globals';

import { DomainError } from '../../../shared/domain-error.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import { inEitherAccount } from './in-either-account.js';

const ACCOUNT = 'c0mk3v9p0x7f2k9d1q8z5w4ab';

describe('inEitherAccount', () => {
  const used: string[] = [];
  const useIn = (owner: string | null, error: Error) => (accountId: string) => {
    used.push(accountId);
    return accountId === owner ? Promise.resolve('found') : Promise.reject(error);
  };

  it('uses the account first', async () => {
    used.length = 0;
    expect(await inEitherAccount(ACCOUNT, useIn(ACCOUNT, DomainError.notFound('Message')))).toBe('found');
    expect(used).toEqual([ACCOUNT]);
  });

  it('uses the test account for what the account does not have', async () => {
    const use = useIn(testAccountIdOf(ACCOUNT), DomainError.notFound('Message'));
    expect(await inEitherAccount(ACCOUNT, use)).toBe('found');
  });

  it('throws any other error at once', async () => {
    used.length = 0;
    const error = DomainError.conflict('Message is sent');
    await expect(inEitherAccount(ACCOUNT, useIn(null, error))).rejects.toBe(error);
    expect(used).toEqual([ACCOUNT]);
  });

  it('throws the first error if neither has it', async () => {
    const use = (accountId: string) =>
      Promise.reject(DomainError.notFound(accountId === ACCOUNT ? 'Attachment' : 'Message'));
    await expect(inEitherAccount(ACCOUNT, use)).rejects.toThrow('Attachment not found');
  });
});
