import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { ContactRepository } from '../../contacts/index.js';
import type { ErasedAddresses } from '../../suppression/index.js';
import { EraseContacts } from './erase-contacts.service.js';
import { EraseTraces } from './erase-traces.service.js';
import type { ErasureProgress, ErasureRepository } from './ports/erasure.repository.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const ID = newId(NOW);
const START: ErasureProgress = { step: 0, after: '', mustRepeat: false };

describe('EraseContacts', () => {
  let calls: string[];
  let contactEmail: string | null;
  /** The open erasures by contact. */
  let progress: Map<string, ErasureProgress>;
  let dueInMinutes: Map<string, number>;
  /** How many parts the messages of the account have. */
  let parts: number;
  let hasSkipped: boolean;
  let failing: string | null;
  let service: EraseContacts;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(() => {
    calls = [];
    contactEmail = 'ada@example.com';
    [progress, dueInMinutes] = [new Map(), new Map()];
    parts = 1;
    hasSkipped = false;
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
      isErasedContact: async (_: string, id: string) => progress.has(id),
    };
    const setDue = (id: string, at: Date) => dueInMinutes.set(id, (at.getTime() - NOW.getTime()) / 60_000);
    const erasures: ErasureRepository = {
      open: async (_, id, __, dueAt) => {
        calls.push('open');
        progress.set(id, { ...START, mustRepeat: true });
        setDue(id, dueAt);
      },
      find: async (accountId, contactId) => {
        const stored = progress.get(contactId);
        return stored ? { accountId, contactId, email: 'ada@example.com', progress: stored } : null;
      },
      listDueAcrossAccounts: async () => ['c1', 'c2'].map((contactId) => ({ accountId: 'a1', contactId })),
      saveProgress: async (_, id, reached) => void progress.set(id, reached),
      setDue: async (_, id, at) => void setDue(id, at),
      close: async (_, id) => void progress.delete(id),
    };
    const erasure = (name: string) => ({
      erasePart: async (accountId: string, email: string, after: string) => {
        if (failing === name) throw new Error('gone');
        const isTest = accountId === testAccountIdOf('a1');
        calls.push(`erase ${email} from ${isTest ? 'test ' : ''}${name}${after}`);
        const isLast = isTest || name !== 'messages' || Number(after) + 1 === parts;
        return { next: isLast ? null : String(Number(after) + 1), hasSkipped: hasSkipped && name === 'messages' };
      },
    });
    const erasedAddresses = addresses as unknown as ErasedAddresses;
    const contactRepository = contacts as unknown as ContactRepository;
    service = new EraseContacts(
      transactions,
      contactRepository,
      erasedAddresses,
      erasures,
      new EraseTraces(transactions, contactRepository, erasedAddresses, erasures, [
        erasure('messages'),
        erasure('webhooks'),
      ]),
      { now: () => NOW, catchUp: () => Promise.resolve() },
    );
  });

  it('blocks the address in one transaction before it erases the traces', async () => {
    await service.erase('a1', ID);
    expect(calls).toEqual([
      ...['begin', 'remove contact', 'lock suppressions', 'suppress ada@example.com', 'open', 'commit'],
      ...['erase ada@example.com from messages', 'erase ada@example.com from test messages'],
      ...['erase ada@example.com from webhooks', 'erase ada@example.com from test webhooks'],
      ...['begin', 'remove test contact', 'forget test suppression', 'commit'],
    ]);
    expect([progress.get(ID), dueInMinutes.get(ID)]).toEqual([START, 10]);
  });

  it('erases the traces again for a contact that was erased before, and leaves the last pass to the schedule', async () => {
    contactEmail = null;
    progress.set(ID, START);
    await service.erase('a1', ID);
    expect(calls).not.toContain('open');
    expect(calls).toContain('erase ada@example.com from webhooks');
    expect([progress.get(ID), dueInMinutes.get(ID)]).toEqual([START, 10]);
  });

  it('refuses an unknown contact', async () => {
    contactEmail = null;
    await expect(service.erase('a1', ID)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(service.erase('a1', 'no id')).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('continues in the schedule, where the request has stopped', async () => {
    parts = 50;
    await service.erase('a1', ID);
    expect(calls.at(-1)).toBe('erase ada@example.com from messages19');
    expect([progress.get(ID), dueInMinutes.get(ID)]).toEqual([{ step: 0, after: '20', mustRepeat: true }, 0]);
    progress.set('c1', progress.get(ID)!);
    calls = [];
    await service.eraseDue();
    expect(calls[0]).toBe('erase ada@example.com from messages20');
    expect(calls).toContain('erase ada@example.com from test webhooks');
    expect([progress.get('c1'), dueInMinutes.get('c1')]).toEqual([START, 10]);
  });

  it('continues after the last part that has succeeded', async () => {
    parts = 3;
    failing = 'webhooks';
    await expect(service.erase('a1', ID)).rejects.toThrow('gone');
    expect([progress.get(ID), dueInMinutes.get(ID)]).toEqual([{ step: 2, after: '', mustRepeat: true }, 10]);
  });

  it('closes a due erasure after a pass that has left nothing alone', async () => {
    for (const id of ['c1', 'c2']) progress.set(id, START);
    hasSkipped = true;
    await service.eraseDue();
    expect([...progress.values()]).toEqual([START, START]);
    expect(dueInMinutes.get('c2')).toBe(10);
    hasSkipped = false;
    await service.eraseDue();
    expect([...progress.keys()]).toEqual([]);
  });

  it('lets others have their turn in between', async () => {
    for (const id of ['c1', 'c2']) progress.set(id, START);
    parts = 1_000;
    await service.eraseDue();
    expect([...progress.values()].map(({ after }) => after)).toEqual(['200', '200']);
    expect([...dueInMinutes.values()]).toEqual([0, 0]);
  });

  it('postpones a due erasure that fails and goes on with the next', async () => {
    for (const id of ['c1', 'c2']) progress.set(id, START);
    failing = 'webhooks';
    await service.eraseDue();
    expect(calls.filter((call) => call === 'erase ada@example.com from messages')).toHaveLength(2);
    expect([...dueInMinutes]).toEqual([
      ['c1', 10],
      ['c2', 10],
    ]);
  });
});
