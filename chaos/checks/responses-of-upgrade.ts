import { groupBy } from '../../src/shared/collections.js';
import type { Evidence } from '../evidence/evidence.js';
import { overlaps, type Span } from '../evidence/spans.js';
import { type CheckResult, Gaps } from './check-result.js';

/**
 * A process that stops gracefully responds to every request that it has read. A connection can still end under a
 * request that crosses with the stop: that request is not carried out, so that a client may repeat it.
 */
export function checkResponsesOfUpgrade(
  { answers, sends }: Evidence,
  storedFor: (index: number) => number,
  stops: readonly Span[],
): CheckResult {
  const gaps = new Gaps();
  const unexcused = answers.failures.filter(({ status, isRetryable }) => status !== 503 || !isRetryable);
  for (const [what, { length, 0: first }] of groupBy(unexcused, ({ what, status }) => `${what} answered ${status}`))
    gaps.add(`${what}, ${length} times, first at ${timeOf(first)}`);
  for (const request of answers.lost) {
    if (!overlaps(request, stops)) gaps.add(`${request.what} got no response at ${timeOf(request)}: ${request.error}`);
  }
  for (let index = 0; index < sends.count; index++) {
    if (sends.isOfCampaign(index) || sends.isAccepted(index) || !sends.isOpen(index) || storedFor(index) === 0)
      continue;
    gaps.add(`the send to ${sends.recipient(index)} is stored, but its response was lost`);
  }
  return {
    name: 'Every request gets a response, unless it crosses with a stop; no 5xx but 503 with Retry-After',
    counted:
      `${answers.count} responses, ${answers.failures.length - unexcused.length} of them 503 with Retry-After; ` +
      [`${answers.lost.length} connections ended`, ...new Set(answers.lost.map(({ error }) => error))].join(', '),
    gaps,
  };
}

const timeOf = (span: Span | undefined): string => new Date(span?.from ?? 0).toISOString();
