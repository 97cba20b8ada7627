import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { ContactRepository } from '../../contacts/index.js';
import type { ErasedAddresses } from '../../suppression/index.js';
import { EraseContacts } from './erase-contacts.service.js';
import type { ErasureRepository } from './ports/erasure.repository.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const ID = newId(NOW);

describe('EraseContacts', () => {
  let calls: string[];
  let contactEmail: string | null;
  let erasedEmail: string | null;
  let beingSent: number;
  let failing: string | null;
  let service: EraseContacts;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(() => {
    calls = [];
    contactEmail = 'ada@example.com';
    erasedEmail = null;
    beingSent = 0;
    failing = null;
    const transactions: TransactionRunner = {
      isRunning: false,
      run: async (work) => {
        calls.push('begin');
        const result = await work();
        calls.push('commit');
        return result;
      },
      runInLane: (_, work) => transactions.run(work),
    };
    const contacts = {
      findByEmails: async () => [{ id: 'test contact' }],
      remove: async (_: string, id: string) => {
        calls.push(id === 'test contact' ? 'remove test contact' : 'remove contact');
        return contactEmail === null ? null : { normalisedEmail: contactEmail };
      },
    };
    const addresses = {
      lock: async () => void calls.push('lock suppressions'),
      suppress: async (_: string, email: string) => void calls.push(`suppress ${email}`),
      forget: async () => void calls.push('forget test suppression'),
      isErasedContact: async () => erasedEmail !== null,
    };
    const erasures: ErasureRepository = {
      open: async (_, __, email) => {
        calls.push('open');
        erasedEmail = email;
      },
      findEmail: async () => erasedEmail,
      listDueAcrossAccounts: async () => [
        { accountId: 'a1', contactId: 'c1' },
        { accountId: 'a1', contactId: 'c2' },
      ],
      postpone: async (_, contactId) => void calls.push(`postpone ${contactId}`),
      close: async (_, contactId) => void calls.push(`close ${contactId}`),
    };
    const erasure = (name: string) => ({
      erase: async (accountId: string, email: string) => {
        if (failing === name) throw new Error('gone');
        const isTest = accountId === testAccountIdOf('a1');
        calls.push(`erase ${email} from ${isTest ? 'test ' : ''}${name}`);
        return name === 'messages' && !isTest ? beingSent : 0;
      },
    });
    service = new EraseContacts(
      transactions,
      contacts as unknown as ContactRepository,
      addresses as unknown as ErasedAddresses,
      erasures,
      [erasure('messages'), erasure('webhooks')],
      { now: () => NOW, catchUp: () => Promise.resolve() },
    );
  });

  it('blocks the address before it erases the traces, each in one transaction', async () => {
    await service.erase('a1', ID);
    expect(calls).toEqual([
      ...['begin', 'remove contact', 'lock suppressions', 'suppress ada@example.com', 'open', 'commit'],
      ...['begin', 'erase ada@example.com from messages', 'erase ada@example.com from webhooks'],
      ...['erase ada@example.com from test messages', 'erase ada@example.com from test webhooks'],
      ...['remove test contact', 'forget test suppression', 'commit'],
    ]);
  });

  it('erases the traces again for a contact that was erased before', async () => {
    [contactEmail, erasedEmail] = [null, 'ada@example.com'];
    await service.erase('a1', ID);
    expect(calls).not.toContain('open');
    expect(calls).toContain('erase ada@example.com from webhooks');
  });

  it('refuses an unknown contact', async () => {
    contactEmail = null;
    await expect(service.erase('a1', ID)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(service.erase('a1', 'no id')).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('closes a due erasure, unless messages are still being sent', async () => {
    erasedEmail = 'ada@example.com';
    await service.eraseDue();
    expect(calls).toEqual(expect.arrayContaining(['close c1', 'close c2']));
    calls = [];
    beingSent = 1;
    await service.eraseDue();
    expect(calls).toEqual(expect.arrayContaining(['postpone c1', 'postpone c2']));
  });

  it('postpones a due erasure that fails and goes on with the next', async () => {
    erasedEmail = 'ada@example.com';
    failing = 'webhooks';
    await service.eraseDue();
    expect(calls.filter((call) => call.startsWith('postpone'))).toEqual(['postpone c1', 'postpone c2']);
  });
});
