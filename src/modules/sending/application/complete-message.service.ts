import { Injectable } from '@nestjs/common';

import { ByteBudget } from '../../../shared/byte-budget.js';
import { type ClaimedMessage, ERASED_RECIPIENT, type GroupMember, MessageGroups } from '../../messages/index.js';
import { encodedLength, encodeLines } from '../domain/base64-lines.js';
import { PermanentDeliveryError } from '../domain/delivery-error.js';
import type { OutgoingAttachment, OutgoingMessage } from './ports/message-provider.js';

const LARGE_FROM_BYTES = 1_048_576;
/** Encoded attachments that a process holds at a time. Mails with small ones never wait for those with large ones. */
const MAX_BYTES = { small: 16 * 1_048_576, large: 80 * 1_048_576 };
/** One account gets a third, so that a slow relay does not hold up the attachments of others. */
const SHARES = 3;

/** Adds what a message has in common with its group: visible recipients and attachments. */
@Injectable()
export class CompleteMessage {
  private readonly memory = { small: new SharedBudget(MAX_BYTES.small), large: new SharedBudget(MAX_BYTES.large) };

  constructor(private readonly groups: MessageGroups) {}

  /**
   * Calls `send` with the complete message; at once if it has neither copies nor attachments. Attachments are in memory
   * until `send` has resolved; if there are too many, this waits before it reads them. Throws PermanentDeliveryError
   * if they are no longer kept.
   */
  async completed<T>(message: ClaimedMessage, send: (message: OutgoingMessage) => Promise<T>): Promise<T> {
    const { accountId, hasAttachments } = message;
    const groupId = message.groupId ?? null;
    if (groupId === null && !hasAttachments) return send(message);
    const visible = groupId === null ? null : visibleOf(await this.groups.members(accountId, groupId));
    if (!hasAttachments) return send({ ...message, visible });
    const id = groupId ?? message.id;
    const entries = await this.groups.attachments(accountId, id);
    if (entries.length === 0) throw new PermanentDeliveryError('Its attachments are no longer kept');
    const bytes = entries.reduce((sum, { size }) => sum + encodedLength(size), 0);
    const memory = bytes < LARGE_FROM_BYTES ? this.memory.small : this.memory.large;
    return memory.run(accountId, bytes, async () => {
      const attachments: OutgoingAttachment[] = [];
      for (const { number, filename, contentType, contentId } of entries) {
        const encoded: Buffer[] = [];
        for await (const part of this.groups.read(accountId, id, number)) encoded.push(encodeLines(part));
        attachments.push({ filename, contentType, contentId, encoded });
      }
      return send({ ...message, visible, attachments });
    });
  }
}

/** A budget of all accounts, of which each account has its share. */
class SharedBudget {
  private readonly all: ByteBudget;
  private readonly accounts = new Map<string, ByteBudget>();

  constructor(private readonly total: number) {
    this.all = new ByteBudget(total);
  }

  async run<T>(accountId: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const account = this.accounts.get(accountId) ?? new ByteBudget(this.total / SHARES);
    this.accounts.set(accountId, account);
    try {
      return await account.run(bytes, () => this.all.run(bytes, work));
    } finally {
      if (account.isIdle) this.accounts.delete(accountId);
    }
  }
}

/** The recipients whom all messages of the group show. */
export function visibleOf(members: readonly GroupMember[]): NonNullable<OutgoingMessage['visible']> {
  const inRole = (wanted: GroupMember['role']) =>
    members
      .filter(({ role, recipient }) => role === wanted && recipient !== ERASED_RECIPIENT)
      .map(({ recipient }) => recipient);
  return { to: inRole('to'), cc: inRole('cc') };
}
