import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TimeSlice } from '../../../shared/time-slice.js';
import type { BatchEntry, BatchMode, CapUsage, IdempotencyKey } from '../../messages/index.js';
import { requireNoFault } from '../domain/batch-fault.js';
import type { EmailRequest, SmsRequest } from '../domain/send-request.js';
import { IdempotentSend } from './idempotent-send.service.js';
import { type Identity, PrepareEmail, recipientCount } from './prepare-email.service.js';
import { PrepareSms } from './prepare-sms.service.js';
import { RenderContent } from './render-content.service.js';
import { type PreparedMessage, StoreBatch } from './store-batch.service.js';

export interface BatchRequest<Request> {
  accountId: string;
  apiKeyId: string;
  keyLimit: number | null;
  mode: BatchMode;
  /** In the order of the request; an error takes the place of a message that is not valid. */
  messages: readonly (Request | DomainError)[];
  idempotencyKey: IdempotencyKey | undefined;
}

export interface SentBatch {
  /** One for each message of the request, in order. */
  entries: readonly BatchEntry[];
  /** Null for a repeated request: nothing was counted. */
  usage: CapUsage | null;
}

/** Accepts many messages of an API key at a time. */
@Injectable()
export class SendBatch {
  constructor(
    private readonly prepareEmail: PrepareEmail,
    private readonly prepareSms: PrepareSms,
    private readonly content: RenderContent,
    private readonly idempotentSend: IdempotentSend,
    private readonly storeBatch: StoreBatch,
    private readonly clock: Clock,
  ) {}

  sendEmails(batch: BatchRequest<EmailRequest>): Promise<SentBatch> {
    const slice = new TimeSlice();
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
    return this.send(batch, new TimeSlice(), countOne, async (request, identity) => {
      const { group, segments, encoding } = await this.prepareSms.prepare(request, identity);
      return { group, entry: { segments, encoding } };
    });
  }

  private async send<Request extends object>(
    batch: BatchRequest<Request>,
    slice: TimeSlice,
    countOf: (request: Request) => number,
    prepare: (request: Request, identity: Identity) => Promise<PreparedMessage>,
  ): Promise<SentBatch> {
    const result = await this.idempotentSend.acceptOnce(batch, async () => {
      const prepared = await this.prepareAll(batch, slice, countOf, prepare);
      return this.storeBatch.store(batch, prepared);
    });
    return { entries: result.entries ?? [], usage: result.usage };
  }

  /** Begins one after the other, so that their look-ups share statements and none of them blocks the event loop. */
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
}

/** A fault of this message; anything else fails the batch. */
const isRefusal = (error: unknown): error is DomainError => error instanceof DomainError && error.kind === 'invalid';
