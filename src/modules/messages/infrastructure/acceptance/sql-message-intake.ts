import { Injectable } from '@nestjs/common';

import { Config } from '../../../../config/config.js';
import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Limiter } from '../../../../concurrency/limiter.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { LOCK_WAIT_MS, retryWhileLocked } from '../../../../concurrency/retry.js';
import { type IntakeConditions, type IntakeResult, MessageIntake } from '../../application/ports/message-intake.js';
import { DeliveryJobs } from '../../application/ports/pending-delivery.repository.js';
import { capDay } from '../../domain/daily-caps.js';
import { dueDeliveries, type NewGroup } from '../../domain/message-group.js';
import { STORE_PART } from './accept.sql.js';
import { acceptUnits, commitIfAccepted, findFree, lockCounters, startCounters, subjectsOf } from './accept-units.js';
import { AccountBatcher } from './account-batcher.js';
import { bytesIn, toUnit, type Unit } from './message-units.js';
import { CachedDailyUsage } from './cached-daily-usage.js';

/** Plain messages in one statement; fewer if they are long. */
const MAX_BATCH = 200;
/** Characters of the contents in one statement. A longer message is a batch of its own. */
const MAX_LENGTH = 1_000_000;
const MIN_LENGTH = MAX_LENGTH / MAX_BATCH;
/** Bytes and characters that one statement stores of groups. Those with more bytes are stored part by part. */
const MAX_GROUPS_SIZE = 1_048_576;
/** Size of a message of a group in addition to its body. */
const MESSAGE_SIZE = 2_000;
/** Large groups stored at a time: the other connections are for messages that take a few milliseconds. */
const LARGE_AT_A_TIME = 2;
/** Large groups of one account at a time: its counters may be locked, so others have the second permit. */
const LARGE_OF_ACCOUNT = 1;

/** Messages that arrive while a statement commits share the next one. Plain messages do not wait for groups. */
@Injectable()
export class SqlMessageIntake extends MessageIntake {
  private readonly plain: AccountBatcher<Unit, IntakeResult>;
  private readonly groups: AccountBatcher<Unit, IntakeResult>;
  private readonly large = new Limiter({ total: LARGE_AT_A_TIME, perKey: LARGE_OF_ACCOUNT });
  /** Groups of one account with keys of copies are stored one at a time: they hold the locks of its counters. */
  private readonly keyedOfAccount = new Limiter({ perKey: 1 });

  constructor(
    private readonly database: Database,
    private readonly cached: CachedDailyUsage,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
    { databasePoolSize: poolSize }: Config,
  ) {
    super();
    const options = {
      accountOf: ({ accountId }: Unit) => accountId,
      write: (units: Unit[], lockWaitMs: number) => acceptUnits(database, units, { day: this.today(), lockWaitMs }),
      findFree: (units: readonly Unit[]) => findFree(database, units, this.today()),
      ...{ poolSize, faults: POSTGRES_FAULTS },
    };
    const sizeOfPlain = ({ length }: Unit) => Math.max(MIN_LENGTH, length);
    const sizeOfGroup = ({ length, size }: Unit) => length + MESSAGE_SIZE * size;
    this.plain = new AccountBatcher({ ...options, maxSize: MAX_LENGTH, sizeOf: sizeOfPlain });
    this.groups = new AccountBatcher({ ...options, maxSize: MAX_GROUPS_SIZE, sizeOf: sizeOfGroup });
  }

  async accept(group: NewGroup, conditions: IntakeConditions): Promise<IntakeResult> {
    const day = this.today();
    const unit = toUnit(group.message, [group], conditions);
    const result = await (unit.isPlain ? this.plain.add(unit) : this.storeGroup(unit, group));
    const { accountId, apiKeyId } = unit;
    const isAccepted = result.outcome === 'accepted';
    if (isAccepted && unit.isPlain && apiKeyId !== null) this.cached.record({ accountId, apiKeyId }, day, result.usage);
    else this.cached.forget(accountId, day);
    if (isAccepted) for (const delivery of dueDeliveries(group)) this.jobs.enqueue(delivery);
    return result;
  }

  private storeGroup(unit: Unit, group: NewGroup): Promise<IntakeResult> {
    const { accountId } = unit;
    if (bytesIn(group) > MAX_GROUPS_SIZE) return this.large.run(accountId, () => this.storeAlone(unit));
    if (!group.copies.some(({ idempotencyKey }) => idempotencyKey)) return this.groups.add(unit);
    const storeInTurn = () =>
      this.keyedOfAccount.run(accountId, () => this.storeAlone(unit, { maxLockWaitMs: LOCK_WAIT_MS }));
    return retryWhileLocked(POSTGRES_FAULTS, storeInTurn);
  }

  /**
   * Stores the bytes first, so that the counters, for which other messages wait, are locked as late as possible. The
   * keys of copies are compared after that: any other message with one of them is committed by then.
   */
  private async storeAlone(unit: Unit, options?: { maxLockWaitMs: number }): Promise<IntakeResult> {
    const subjects = subjectsOf([unit]);
    await startCounters(this.database, subjects, { day: this.today(), lockWaitMs: options?.maxLockWaitMs ?? null });
    const accept = async () => {
      for (const { groupId, number, part, filename, contentType, contentId, size, bytes } of unit.parts()) {
        const values = [groupId, number, part, unit.accountId, filename, contentType, contentId, size, bytes];
        await this.database.query(STORE_PART, values);
      }
      const day = this.today();
      await lockCounters(this.database, subjects, day);
      const [result] = await acceptUnits(this.database, [{ ...unit, parts: () => [] }], { day, lockWaitMs: null });
      if (!result || result instanceof Error) throw result ?? new Error('The message has no outcome');
      return result;
    };
    return commitIfAccepted(this.database, accept, options);
  }

  private today(): string {
    return capDay(this.clock.now());
  }
}
