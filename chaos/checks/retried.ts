import type { SendRecords } from '../evidence/sends.js';
import { type CheckResult, Gaps } from './check-result.js';

/** Other checks verify that the messages get a final status and are received. */
export function checkRetried(sends: SendRecords, storedFor: (index: number) => number): CheckResult {
  const gaps = new Gaps();
  let [retried, lost] = [0, 0];
  for (let index = 0; index < sends.count; index++) {
    if (!sends.isRetriedUntilAccepted(index)) continue;
    retried += 1;
    if (sends.isReplayedAtFirst(index)) lost += 1;
    const recipient = sends.recipient(index);
    const [ids, stored] = [sends.idsOf(index), storedFor(index)];
    if (ids.length === 0) gaps.add(`${recipient} was retried and never accepted: ${sends.status(index)}`);
    if (ids.length > 1) gaps.add(`${recipient} was answered with several messages: ${ids.join(', ')}`);
    if (stored !== 1) gaps.add(`${recipient} was retried and has ${stored} messages`);
  }
  return {
    name: 'Every send with an Idempotency-Key is accepted in the end, and creates one message however often it is repeated',
    counted: `${retried} sends; ${sends.acceptances} responses with 201 to all sends; the first 201 of ${lost} was lost`,
    gaps,
  };
}
