import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { SuppressionList } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

describe('SuppressionList', () => {
  let service: TestService;
  let account: TestAccount;
  let list: SuppressionList;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    list = service.app.get(SuppressionList, { strict: false });
    await account.asAdmin('post', '/api/suppressions').send({ email: 'Ada@Example.com' }).expect(201);
    await account.asAdmin('post', '/api/suppressions').send({ phone: '4155550100' }).expect(201);
  });
  afterAll(() => service.stop());

  it('finds a suppressed address in any spelling, in its own account and channel only', async () => {
    for (const address of ['ada@example.com', 'ADA@example.com', ' Ada@EXAMPLE.COM ']) {
      await expect(list.isSuppressed(account.id, 'email', address)).resolves.toBe(true);
    }
    for (const address of ['+14155550100', '415-555-0100', '+1 (415) 555 0100']) {
      await expect(list.isSuppressed(account.id, 'sms', address)).resolves.toBe(true);
    }
    const other = await service.createAccount();
    await expect(list.isSuppressed(other.id, 'email', 'ada@example.com')).resolves.toBe(false);
    await expect(list.isSuppressed(account.id, 'email', 'bob@example.com')).resolves.toBe(false);
  });

  it('gives each of many concurrent callers its own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) =>
        list.isSuppressed(account.id, 'email', i % 7 === 0 ? 'ADA@example.com' : `user${i}@example.com`),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 1_000 }, (_, i) => i % 7 === 0));
  });

  it('refuses a value that is not an address', async () => {
    await expect(list.isSuppressed(account.id, 'sms', '12')).rejects.toMatchObject({
      kind: 'invalid',
      message: '12 is not a phone number',
    });
    await expect(list.isSuppressed(account.id, 'email', 'ada')).rejects.toMatchObject({
      kind: 'invalid',
      message: 'ada is not an email address',
    });
  });

  it('rejects for every caller when the look-up fails', async () => {
    const broken = jest.spyOn(service.database, 'prepared').mockRejectedValue(new Error('gone'));
    const answers = await Promise.allSettled(
      ['ada@example.com', 'bob@example.com'].map((address) => list.isSuppressed(account.id, 'email', address)),
    );
    broken.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(list.isSuppressed(account.id, 'email', 'ada@example.com')).resolves.toBe(true);
  });
});
