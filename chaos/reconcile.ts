import { AcceptedCheck } from './checks/accepted.js';
import { CampaignsCheck } from './checks/campaigns.js';
import { CapsCheck } from './checks/caps.js';
import type { CheckResult } from './checks/check-result.js';
import { ErasuresCheck } from './checks/erasures.js';
import { EventsCheck } from './checks/events.js';
import { ReceivedCheck } from './checks/received.js';
import { checkRetried } from './checks/retried.js';
import { checkAnswers, checkMemory, checkProcesses, checkUnfinished } from './checks/service.js';
import { SchedulesCheck } from './checks/schedules.js';
import { checkSuppressions, checkWebhooks } from './checks/suppressions.js';
import { indexOf } from './evidence/addresses.js';
import type { Evidence } from './evidence/evidence.js';

/** `storedFor` returns the number of messages of a send. */
type ResponseCheck = (evidence: Evidence, storedFor: (index: number) => number) => CheckResult;

/** Compares the observations of clients, providers and receivers with the tables, which are read once. */
export async function reconcile(
  evidence: Evidence,
  checkResponses: ResponseCheck = checkAnswers,
): Promise<CheckResult[]> {
  const accepted = new AcceptedCheck(evidence);
  const received = new ReceivedCheck(evidence);
  const caps = new CapsCheck(evidence);
  const events = new EventsCheck(evidence);
  const campaigns = new CampaignsCheck(evidence);
  const schedules = new SchedulesCheck(evidence);
  const erasures = new ErasuresCheck(evidence);
  for await (const row of evidence.messages) {
    const index = indexOf(row.recipient);
    if (ErasuresCheck.concerns(row)) for (const check of [erasures, caps]) check.message(row);
    else for (const check of [accepted, received, schedules, caps, events, campaigns]) check.message(row, index);
  }
  return [
    accepted.result(),
    checkRetried(evidence.sends, (index) => accepted.storedFor(index)),
    received.result(),
    schedules.result(),
    caps.result(),
    events.result(),
    campaigns.result(),
    erasures.result(),
    checkSuppressions(evidence),
    checkWebhooks(evidence),
    checkResponses(evidence, (index) => accepted.storedFor(index)),
    checkProcesses(evidence),
    checkMemory(evidence),
    checkUnfinished(evidence),
  ];
}
