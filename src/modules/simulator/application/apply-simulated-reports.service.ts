import { Injectable, Logger } from '@nestjs/common';

import { chunk, groupBy } from '../../../shared/collections.js';
import { forEachConcurrently } from '../../../concurrency/for-each-concurrently.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { LOCK_WAIT_MS } from '../../../concurrency/retry.js';
import { eventKey } from '../../messages/index.js';
import { type AccountEvent, ApplyEvents, type StoredEvent } from '../../provider-events/index.js';
import {
  type Report,
  type SimulatedReport,
  SimulatedReports,
  SIMULATOR,
  simulatorMessageId,
} from '../../../providers/index.js';
import { SimulatedRecipient } from './simulated-recipient.service.js';

const BATCH_SIZE = 500;
/** Each act takes connections to the database. */
const [ACTING_ACCOUNTS, ACTS_AT_ONCE] = [5, 5];
/** A report that cannot be applied is tried again after this time, at most MAX_POSTPONED times, and then given up. */
const POSTPONED_MS = 60_000;
const MAX_POSTPONED = 5;

/** Accounts whose locks another transaction holds, with the error. */
type LockedAccounts = Map<string, unknown>;

type SimulatedEvent = Pick<AccountEvent, 'type' | 'data'>;

/** The reports of a provider, as events of a message. The other reports are acts of the recipient. */
const EVENTS: Partial<Record<Report, SimulatedEvent>> = {
  delivered: { type: 'delivered', data: { smtpResponse: '250 2.0.0 simulated' } },
  bounced: { type: 'bounced', data: { bounceType: 'hard', diagnosticCode: '550 5.1.1 simulated' } },
  soft_bounced: { type: 'bounced', data: { bounceType: 'soft', diagnosticCode: '452 4.2.2 simulated' } },
  complained: { type: 'complained', data: { feedbackType: 'abuse' } },
  undelivered: { type: 'failed', data: { reason: 'undelivered', providerResponse: 'simulated' } },
  opened: { type: 'opened', data: { userAgent: SIMULATOR } },
  clicked: { type: 'clicked', data: { userAgent: SIMULATOR } },
};

/** Reports what happens to simulated messages, through the services for provider events and for acts of recipients. */
@Injectable()
export class ApplySimulatedReports {
  private readonly logger = new Logger(ApplySimulatedReports.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly reports: SimulatedReports,
    private readonly applyEvents: ApplyEvents,
    private readonly recipient: SimulatedRecipient,
    private readonly faults: DatabaseFaults,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies the reports that are due, and calls `onApplied` with the events of each batch that was committed. Throws
   * the first error of a locked account after it has applied the reports of the others.
   */
  async applyDue(stopping: AbortSignal, onApplied: (events: readonly StoredEvent[]) => void): Promise<void> {
    const locked: LockedAccounts = new Map();
    let due: SimulatedReport[];
    do {
      due = await this.reports.listDueAcrossAccounts(this.clock.now(), [...locked.keys()], BATCH_SIZE);
      const [events, acts] = [due.filter(isEvent), due.filter((report) => !isEvent(report))];
      const applied: StoredEvent[] = [];
      await this.applyOrPostpone(events, locked, async (some) => void applied.push(...(await this.apply(some))));
      if (applied.length > 0) onApplied(applied);
      const actsByAccount = groupBy(acts, ({ accountId }) => accountId).values();
      await forEachConcurrently(actsByAccount, ACTING_ACCOUNTS, async (ofAccount) => {
        for (const some of chunk(ofAccount, ACTS_AT_ONCE))
          await this.applyOrPostpone(some, locked, (reports) => this.act(reports));
      });
    } while (due.length === BATCH_SIZE && !stopping.aborted);
    for (const error of locked.values()) throw error;
  }

  /**
   * Reports that fail together are applied by account, and then one by one, so that neither a locked account nor a
   * report that always fails delays others.
   */
  private async applyOrPostpone(
    reports: readonly SimulatedReport[],
    locked: LockedAccounts,
    apply: (reports: readonly SimulatedReport[]) => Promise<void>,
  ): Promise<void> {
    const [report, second] = reports;
    if (!report || locked.has(report.accountId)) return;
    try {
      await apply(reports);
    } catch (error) {
      const isLocked = this.faults.isLockTimeout(error);
      if (this.faults.isUnavailable(error) && !isLocked) throw error;
      const byAccount = groupBy(reports, ({ accountId }) => accountId);
      const parts = byAccount.size > 1 ? [...byAccount.values()] : reports.map((one) => [one]);
      if (isLocked && byAccount.size === 1) locked.set(report.accountId, error);
      else if (!second) await this.postpone(report, error as Error);
      else for (const part of parts) await this.applyOrPostpone(part, locked, apply);
    }
  }

  /** A report is removed after the act, which is idempotent: a crash does not lose it. */
  private async act(reports: readonly SimulatedReport[]): Promise<void> {
    await Promise.all(reports.map((report) => this.recipient.act(report)));
    await this.transactions.run(() => this.reports.take(reports));
  }

  /** A report is removed in the transaction that applies it: a crash neither loses nor repeats it. */
  private async apply(reports: readonly SimulatedReport[]): Promise<StoredEvent[]> {
    const events = new Map<string, AccountEvent>();
    for (const report of reports) {
      const event = toAccountEvent(
        report,
        await this.recipient.detail(report, EVENTS[report.report] as SimulatedEvent),
      );
      events.set(event.id, event);
    }
    const applyTaken = async () => {
      const taken = await this.reports.take(reports);
      const toApply = taken.flatMap((report) => events.get(keyOf(report)) ?? []);
      const applied = await this.applyEvents.apply(toApply);
      return toApply.map((event, i) => ({ event, outcome: applied[i]?.outcome ?? 'unknown' }));
    };
    return this.transactions.run(applyTaken, { maxLockWaitMs: LOCK_WAIT_MS });
  }

  private async postpone(report: SimulatedReport, { message, stack }: Error): Promise<void> {
    const until = new Date(this.clock.now().getTime() + POSTPONED_MS);
    const isKept = await this.reports.postpone(report, until, MAX_POSTPONED);
    const what = `The simulated report ${report.report} of message ${report.messageId}`;
    this.logger.error(`${what} is ${isKept ? 'postponed' : 'given up'}: ${message}`, stack);
  }
}

const isEvent = ({ report }: SimulatedReport): boolean => EVENTS[report] !== undefined;

const keyOf = ({ messageId, report }: SimulatedReport): string => eventKey(SIMULATOR, messageId, report);

const toAccountEvent = (simulated: SimulatedReport, event: SimulatedEvent): AccountEvent => {
  const { messageId, accountId, channel, dueAt: occurredAt } = simulated;
  return {
    ...event,
    ...{ messageId, accountId, channel, occurredAt, provider: SIMULATOR },
    providerMessageId: simulatorMessageId(messageId),
    recipient: null,
    id: keyOf(simulated),
  };
};
