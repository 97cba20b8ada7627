import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TimeSlice } from '../../../concurrency/time-slice.js';
import {
  type AcceptedEntry,
  type BatchEntry,
  BatchIntake,
  type BatchMode,
  capError,
  type CapUsage,
  type IdempotencyKey,
  type NewGroup,
} from '../../messages/index.js';
import { requireNoFault } from '../domain/batch-fault.js';
import type { EmailRequest, SmsRequest } from '../domain/send-request.js';
import { IdempotentSend } from './idempotent-send.service.js';
import { type Identity, PrepareEmail, recipientCount } from './prepare-email.service.js';
import { PrepareSms } from './prepare-sms.service.js';
import { RenderContent } from './render-content.service.js';

export interface BatchRequest<Request> {
  accountId: string;
  apiKeyId: string;
  keyLimit: number | null;
  mode: BatchMode;
  /** The messages in the order of the request; an error takes the place of a message that is not valid. */
  messages: readonly (Request | DomainError)[];
  idempotencyKey: IdempotencyKey | undefined;
}

export interface SentBatch {
  /** One for each message of the request, in order. */
  entries: readonly BatchEntry[];
  /** Null for a repeated request: nothing was counted. */
  usage: CapUsage | null;
}

/** A message of a batch that has passed all checks but the daily limits. */
interface PreparedMessage {
  group: NewGroup;
  /** The fields of the response for this message. */
  entry: Omit<AcceptedEntry, 'index' | 'messageId'>;
}

type AcceptedBatch = SentBatch & { outcome: 'accepted'; usage: CapUsage };

const MAX_REFUSAL_LENGTH = 1_000;

/** Accepts many messages of an API key, or of the account itself, at a time. */
@Injectable()
export class SendBatch {
  constructor(
    private readonly prepareEmail: PrepareEmail,
    private readonly prepareSms: PrepareSms,
    private readonly content: RenderContent,
    private readonly idempotentSend: IdempotentSend,
    private readonly intake: BatchIntake,
    private readonly clock: Clock,
  ) {}

  sendEmails(batch: BatchRequest<EmailRequest>): Promise<SentBatch> {
    const slice = new TimeSlice(batch.accountId);
    return this.content.ofBatch(batch.accountId, slice, (render) =>
      this.send(batch, slice, recipientCount, async (request, identity) => {
        const options = { render: (id: string) => render(request, id) };
        const { group, copies } = await this.prepareEmail.prepare(request, identity, options);
        return { group, entry: copies.length > 0 ? { copies } : {} };
      }),
    );
  }

  sendSms(batch: BatchRequest<SmsRequest>): Promise<SentBatch> {
    const countOne = () => 1;
    return this.send(batch, new TimeSlice(batch.accountId), countOne, async (request, identity) => {
      const { group, segments, encoding } = await this.prepareSms.prepare(request, identity);
      return { group, entry: { segments, encoding } };
    });
  }

  /** Sends e-mails of the account itself, all or none. Returns their ids. Throws like a send. */
  sendAll(accountId: string, requests: readonly EmailRequest[]): Promise<string[]> {
    return this.content.ofBatch(accountId, new TimeSlice(accountId), async (render) => {
      const createdAt = this.clock.now();
      const ids = newIds(createdAt, requests.length);
      const groups: NewGroup[] = [];
      for (const [i, request] of requests.entries()) {
        const identity = { createdAt, ids: ids.slice(i, i + 1) };
        const options = { render: (id: string) => render(request, id) };
        groups.push((await this.prepareEmail.prepare(request, identity, options)).group);
      }
      const entries = groups.map(({ message: { id } }, index) => ({ index, messageId: id }));
      const origin = { accountId, apiKeyId: null, keyLimit: null, idempotencyKey: undefined };
      const result = await this.intake.accept({ ...origin, mode: 'all', groups, entries });
      if (result.outcome === 'over_cap') throw capError(result.cap, this.clock.now());
      return ids;
    });
  }

  private async send<Request extends object>(
    batch: BatchRequest<Request>,
    slice: TimeSlice,
    countOf: (request: Request) => number,
    prepare: (request: Request, identity: Identity) => Promise<PreparedMessage>,
  ): Promise<SentBatch> {
    const accept = async () => {
      const prepared = await this.prepareAll(batch, slice, countOf, prepare);
      return this.store(batch, prepared);
    };
    const result = await this.idempotentSend.acceptOnce(batch, accept());
    return { entries: result.entries ?? [], usage: result.usage };
  }

  /**
   * Begins to prepare one after the other, so that their look-ups share statements and none of them blocks the event
   * loop.
   */
  private async prepareAll<Request extends object>(
    { messages, mode }: BatchRequest<Request>,
    slice: TimeSlice,
    countOf: (request: Request) => number,
    prepare: (request: Request, identity: Identity) => Promise<PreparedMessage>,
  ): Promise<(PreparedMessage | DomainError)[]> {
    if (mode === 'all') requireNoFault(messages);
    const createdAt = this.clock.now();
    const counts = messages.map((message) => (message instanceof DomainError ? 0 : countOf(message)));
    const ids = newIds(
      createdAt,
      counts.reduce((sum, count) => sum + count, 0),
    );
    const preparing: Promise<PreparedMessage | Error>[] = [];
    for (const [i, message] of messages.entries()) {
      const identity = { createdAt, ids: ids.splice(0, counts[i]) };
      const prepared = message instanceof DomainError ? Promise.resolve(message) : prepare(message, identity);
      preparing.push(prepared.catch((error: unknown) => error as Error));
      if (slice.isOver) await slice.next();
    }
    const prepared = (await Promise.all(preparing)).map((message) => {
      if (message instanceof Error && !isRefusal(message)) throw message;
      return message;
    });
    if (mode === 'all') requireNoFault(prepared);
    return prepared;
  }

  /** Stores the messages in one transaction. Throws the first error if none of them is accepted. */
  private async store(
    { accountId, apiKeyId, keyLimit, mode, idempotencyKey }: Omit<BatchRequest<object>, 'messages'>,
    prepared: readonly (PreparedMessage | DomainError)[],
  ): Promise<AcceptedBatch | { outcome: 'duplicate' }> {
    const groups = prepared.flatMap((message) => (message instanceof DomainError ? [] : [message.group]));
    if (groups.length === 0) requireNoFault(prepared.slice(0, 1));
    const entries = prepared.map(toEntry);
    const batch = { accountId, apiKeyId, keyLimit, mode, groups, entries, idempotencyKey };
    const result = await this.intake.accept(batch);
    if (result.outcome !== 'over_cap') return result;
    if (mode === 'valid') requireNoFault(prepared.slice(0, 1));
    throw capError(result.cap, this.clock.now());
  }
}

/** A fault of this message; anything else fails the batch. */
const isRefusal = (error: unknown): error is DomainError => error instanceof DomainError && error.kind === 'invalid';

/** Refusals are stored with the idempotency key, and may repeat what the caller sent. */
const shortened = (text: string): string =>
  text.length <= MAX_REFUSAL_LENGTH ? text : `${text.slice(0, MAX_REFUSAL_LENGTH).toWellFormed()}…`;

function toEntry(message: PreparedMessage | DomainError, index: number): BatchEntry {
  if (!(message instanceof DomainError)) return { index, messageId: message.group.message.id, ...message.entry };
  const { kind, code } = message;
  return { index, refusal: { kind, code, message: shortened(message.message) } };
}
