import { Injectable } from '@nestjs/common';

import { Config } from '../../../../config/config.js';
import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { KeyedSemaphore } from '../../../../shared/keyed-semaphore.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { Semaphore } from '../../../../shared/semaphore.js';
import { GroupIntake } from '../../application/ports/group-intake.js';
import type { IntakeResult } from '../../application/ports/message-intake.js';
import { capDay } from '../../domain/daily-caps.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import type { NewGroup } from '../../domain/message-group.js';
import { STORE_PART } from './accept-groups.sql.js';
import type { Locking } from './accept.sql.js';
import { acceptGroups, type GroupCall, type GroupRow } from './accept-statements.js';
import { AccountBatcher, type LOCKED, retryLocking } from './account-batcher.js';
import { type AttachmentPart, bytesIn, partsOf } from './group-rows.js';
import { RecentUsage } from './recent-usage.js';
import { isRefused, subjectsOf, UsageCounters } from './usage-counters.js';

/** Bytes and characters that one statement stores at most. Groups with more bytes are stored part by part. */
const MAX_BATCH_SIZE = 1_048_576;
/** What a message takes besides its body. */
const MESSAGE_SIZE = 2_000;
/** Their other connections are for messages that take a few milliseconds. */
const LARGE_AT_A_TIME = 2;
/** The counters of an account may be locked: others have the second permit. */
const LARGE_OF_ACCOUNT = 1;

/** Ends the transaction of a group that was not accepted. */
class NotAccepted extends Error {
  constructor(readonly result: IntakeResult | Error) {
    super();
  }
}

/** Groups that arrive while a statement commits share the next one. Plain messages do not wait for them. */
@Injectable()
export class BatchedGroupIntake extends GroupIntake {
  private readonly calls: AccountBatcher<GroupCall, IntakeResult>;
  private readonly large = new Semaphore(LARGE_AT_A_TIME);
  private readonly largeOfAccount = new KeyedSemaphore(LARGE_OF_ACCOUNT);
  private readonly counters: UsageCounters;

  constructor(
    private readonly database: Database,
    private readonly recent: RecentUsage,
    private readonly clock: Clock,
    { databasePoolSize: poolSize }: Config,
  ) {
    super();
    this.calls = new AccountBatcher(
      ({ group }) => group.message.accountId,
      (batch, locking) => this.acceptAll(batch, locking),
      { poolSize, maxSize: MAX_BATCH_SIZE, sizeOf, faults: POSTGRES_FAULTS },
    );
    this.counters = new UsageCounters(database);
  }

  async accept(group: NewGroup, keyLimit: number | null, idempotencyKey?: IdempotencyKey): Promise<IntakeResult> {
    const call = { group, keyLimit, idempotencyKey };
    const { accountId } = group.message;
    const isLarge = bytesIn(group) > MAX_BATCH_SIZE;
    const acceptLarge = () => this.large.run(() => this.acceptLarge(call));
    const result = await (isLarge ? this.largeOfAccount.run(accountId, acceptLarge) : this.calls.add(call));
    this.recent.forget(accountId, capDay(this.clock.now()));
    return result;
  }

  /** Refused groups that could fit are tried again one by one: a smaller one may fit after a larger one. */
  private async acceptAll(batch: GroupCall[], locking: Locking): Promise<(IntakeResult | Error | typeof LOCKED)[]> {
    const parts = batch.flatMap(({ group }, i) => partsOf(group, i));
    const rows = await this.write(batch, parts, locking);
    const results = rows.map((row) => this.counters.toResultOf(row, locking));
    if (batch.length === 1) return results;
    for (const [i, call] of batch.entries()) {
      if (!isRefused(rows[i]) || !rows[i]?.fitsAlone) continue;
      const [retried] = await this.acceptAll([call], retryLocking(locking)).catch((error: unknown) => [error as Error]);
      if (retried) results[i] = retried;
    }
    return results;
  }

  /** Stores the bytes first, so that the counters, for which other messages wait, are locked as late as possible. */
  private async acceptLarge(call: GroupCall): Promise<IntakeResult> {
    const { message } = call.group;
    await this.counters.start(subjectsOf([message]), capDay(this.clock.now()));
    try {
      return await this.database.run(async () => {
        for (const { number, part, filename, contentType, contentId, size, bytes } of partsOf(call.group, 0)) {
          const values = [message.id, number, part, message.accountId, filename, contentType, contentId, size, bytes];
          await this.database.query(STORE_PART, values);
        }
        const [row] = await this.write([call], [], 'wait');
        const result = row ? this.counters.toResult(row) : new Error('Refused without a reason');
        if (result instanceof Error || result.outcome !== 'accepted') throw new NotAccepted(result);
        return result;
      });
    } catch (error) {
      if (!(error instanceof NotAccepted)) throw error;
      if (error.result instanceof Error) throw error.result;
      return error.result;
    }
  }

  private async write(
    batch: readonly GroupCall[],
    parts: readonly AttachmentPart[],
    locking: Locking,
  ): Promise<GroupRow[]> {
    const day = capDay(this.clock.now());
    const subjects = subjectsOf(batch.map(({ group }) => group.message));
    await this.counters.start(subjects, day);
    return acceptGroups(this.database, batch, { subjects, day, locking }, parts);
  }
}

function sizeOf({ group }: GroupCall): number {
  const { html, text } = group.message;
  const bodies = (html?.length ?? 0) + (text?.length ?? 0);
  return bytesIn(group) + bodies + MESSAGE_SIZE * (1 + group.copies.length);
}
