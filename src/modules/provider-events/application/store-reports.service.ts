import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { chunk } from '../../../shared/collections.js';
import { DomainError } from '../../../shared/domain-error.js';
import { LockedBatcher } from '../../../concurrency/locked-batcher.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AccountEvent, StoredEvent } from './account-event.js';
import { ApplyEvents } from './apply-events.service.js';
import { SeenReports } from './ports/seen-reports.js';
import { UnmatchedEvents } from './ports/unmatched-events.js';

/** Takes a fraction of a second to store. A post can hold many times as many events. */
const MAX_EVENTS_PER_BATCH = 1_000;

/** The events of one verified post. */
export interface Report {
  accountId: string;
  events: readonly AccountEvent[];
  /** A token that is valid for one post only, if the signature does not cover the body. */
  singleUseToken: string | null;
}

/** As many events of a report as fit in a batch. `content` is a hash of the content that the token was used for. */
interface ReportPart {
  accountId: string;
  events: readonly AccountEvent[];
  token: { hash: string; content: string } | null;
}

/** Called with the events of each batch that was committed. */
export type OnStored = (events: readonly StoredEvent[]) => void;

/** Stores verified reports. Reports of an account that arrive while one of its batches commits share the next one. */
@Injectable()
export class StoreReports {
  private readonly batches: LockedBatcher<ReportPart, StoredEvent[]>;

  constructor(
    transactions: TransactionRunner,
    private readonly applyEvents: ApplyEvents,
    private readonly unmatched: UnmatchedEvents,
    private readonly seen: SeenReports,
    private readonly clock: Clock,
    faults: DatabaseFaults,
  ) {
    this.batches = new LockedBatcher((parts) => this.storeBatch(parts), {
      ...{ transactions, faults, maxSize: MAX_EVENTS_PER_BATCH },
      sizeOf: ({ events }) => Math.max(1, events.length),
    });
  }

  /**
   * Resolves when all events are committed, including known, unmatched and unknown ones. Batches never mix accounts. If
   * it rejects, some events may be stored: those of a repeated post are recognised by their ids. The parts of a large
   * report are stored one after the other, so that smaller reports get in between.
   */
  async store(report: Report, onStored: OnStored): Promise<void> {
    for (const part of toParts(report)) onStored(await this.batches.add(part.accountId, part));
  }

  /** A part whose token was used for another post is refused; the others are not affected. */
  private async storeBatch(parts: readonly ReportPart[]): Promise<(StoredEvent[] | Error)[]> {
    const misused = await this.findMisused(parts);
    const events = parts.flatMap((part) => (misused.has(part) ? [] : part.events));
    const applied = await this.applyEvents.apply(events);
    const stored = events.map((event, i) => ({ event, outcome: applied[i]?.outcome ?? 'unknown' }));
    const toKeep = stored.flatMap(({ event, outcome }, i) =>
      outcome === 'unmatched' || outcome === 'unknown' ? [{ ...event, mayMatch: applied[i]?.mayMatch ?? false }] : [],
    );
    await this.unmatched.keep(toKeep, this.clock.now());
    let next = 0;
    return parts.map((part) => (misused.has(part) ? TOKEN_USED : stored.slice(next, (next += part.events.length))));
  }

  private async findMisused(parts: readonly ReportPart[]): Promise<Set<ReportPart>> {
    const withToken = parts.filter(({ token }) => token !== null);
    const occurrences = await this.seen.add(
      withToken.map(({ accountId, token }) => ({
        accountId,
        key: `token ${token?.hash ?? ''}`,
        content: token?.content ?? '',
      })),
      this.clock.now(),
    );
    return new Set(withToken.filter((_, i) => occurrences[i] === 'misused'));
  }
}

const TOKEN_USED = new DomainError('forbidden', 'forbidden', 'The token was used before');

function toParts({ accountId, events, singleUseToken }: Report): ReportPart[] {
  const token =
    singleUseToken === null ? null : { hash: hash(singleUseToken), content: hash(...events.map(contentOf)) };
  const parts = events.length === 0 ? [[]] : chunk(events, MAX_EVENTS_PER_BATCH);
  return parts.map((part) => ({ accountId, events: part, token }));
}

/** The content of an event without its time, which may be that of receipt. */
const contentOf = ({ id, type, messageId, providerMessageId, recipient, data }: AccountEvent): string =>
  JSON.stringify([id, type, messageId, providerMessageId, recipient, data]);

const hash = (...texts: string[]): string => createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
