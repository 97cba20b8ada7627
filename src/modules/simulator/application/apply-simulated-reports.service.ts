import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { eventKey } from '../../messages/index.js';
import { type AccountEvent, ApplyEvents, type StoredEvent } from '../../provider-events/index.js';
import { type Report, SIMULATOR, simulatorMessageId } from '../domain/simulation.js';
import { type SimulatedReport, SimulatedReports } from './ports/simulated-reports.js';
import { SimulatedRecipient } from './simulated-recipient.service.js';

const BATCH_SIZE = 500;

/** What a provider would report: an event of a message. The other reports are acts of the recipient. */
const EVENTS: Partial<Record<Report, Pick<AccountEvent, 'type' | 'data'>>> = {
  delivered: { type: 'delivered', data: { smtpResponse: '250 2.0.0 simulated' } },
  bounced: { type: 'bounced', data: { bounceType: 'hard', diagnosticCode: '550 5.1.1 simulated' } },
  soft_bounced: { type: 'bounced', data: { bounceType: 'soft', diagnosticCode: '452 4.2.2 simulated' } },
  complained: { type: 'complained', data: { feedbackType: 'abuse' } },
  undelivered: { type: 'failed', data: { reason: 'undelivered', providerResponse: 'simulated' } },
  opened: { type: 'opened', data: { userAgent: SIMULATOR } },
  clicked: { type: 'clicked', data: { userAgent: SIMULATOR } },
};

/** Reports what happens to simulated messages, by the services for the events of providers and acts of recipients. */
@Injectable()
export class ApplySimulatedReports {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly reports: SimulatedReports,
    private readonly applyEvents: ApplyEvents,
    private readonly recipient: SimulatedRecipient,
    private readonly clock: Clock,
  ) {}

  /** Applies what is due, and calls `onApplied` with the events of each batch that was committed. */
  async applyDue(stopping: AbortSignal, onApplied: (events: readonly StoredEvent[]) => void): Promise<void> {
    while (!stopping.aborted) {
      const { taken, events } = await this.transactions.run(() => this.applyBatch());
      onApplied(events);
      if (taken < BATCH_SIZE) return;
    }
  }

  /** A report is removed in the transaction that applies it: a crash neither loses nor repeats it. */
  private async applyBatch(): Promise<{ taken: number; events: StoredEvent[] }> {
    const due = await this.reports.takeDueAcrossAccounts(this.clock.now(), BATCH_SIZE);
    const events: AccountEvent[] = [];
    for (const report of due) {
      const event = EVENTS[report.report];
      if (event) events.push(toAccountEvent(report, await this.recipient.detail(report, event)));
    }
    const applied = await this.applyEvents.apply(events);
    for (const report of due) if (!EVENTS[report.report]) await this.recipient.act(report);
    const stored = events.map((event, i) => ({ event, outcome: applied[i]?.outcome ?? 'unknown' }));
    return { taken: due.length, events: stored };
  }
}

const toAccountEvent = (
  { messageId, accountId, channel, report, dueAt: occurredAt }: SimulatedReport,
  event: Pick<AccountEvent, 'type' | 'data'>,
): AccountEvent => ({
  ...event,
  ...{ messageId, accountId, channel, occurredAt, provider: SIMULATOR },
  providerMessageId: simulatorMessageId(messageId),
  recipient: null,
  id: eventKey(SIMULATOR, messageId, report),
});
