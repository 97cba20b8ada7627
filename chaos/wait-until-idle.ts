import { setTimeout as pause } from 'node:timers/promises';

import type { Environment } from './environment.js';

const POLL_MS = 500;
const BRING_FORWARD_EVERY_MS = 6_000;
/** Any progress restarts this timeout. Longer than two runs of the schedule that erases contacts. */
const STUCK_AFTER_MS = 150_000;
/** More than one, because a mail that has just arrived is still to be reported. */
const IDLE_POLLS = 4;

export interface IdleResult {
  /** Work that was left at the deadline. */
  unfinished: string[];
  /** Retries that the run made due early. */
  broughtForward: number;
}

/** Waits until all work is done. Retries that are due in minutes are made due now. */
export async function waitUntilIdle(
  environment: Environment,
  ofClients: () => Record<string, number>,
): Promise<IdleResult> {
  let deadline = Date.now() + STUCK_AFTER_MS;
  let [least, broughtForward, nextForward, idlePolls] = [Infinity, 0, 0, 0];
  for (;;) {
    const left = await countLeft(environment, ofClients).catch((error: unknown) => ({ [String(error)]: 1 }));
    const sum = Object.values(left).reduce((total, count) => total + count, 0);
    idlePolls = sum === 0 ? idlePolls + 1 : 0;
    if (sum < least) [least, deadline] = [sum, Date.now() + STUCK_AFTER_MS];
    if (idlePolls >= IDLE_POLLS || Date.now() > deadline) {
      const unfinished = Object.entries(left).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
      return { unfinished: [...unfinished, ...environment.clients.refused], broughtForward };
    }
    if (sum > 0 && Date.now() >= nextForward) {
      broughtForward += await bringForward(environment).catch(() => 0); // until the database responds again
      nextForward = Date.now() + BRING_FORWARD_EVERY_MS;
    }
    await pause(POLL_MS);
  }
}

async function countLeft({ database }: Environment, ofClients: () => Record<string, number>) {
  const [row] = await database.query<Record<string, number>>(LEFT);
  return { ...row, ...ofClients() };
}

/** Makes work that is not claimed due now, as if minutes had passed. Returns the amount. */
export async function bringForward({ database }: Environment): Promise<number> {
  let count = 0;
  for (const statement of FORWARD) count += (await database.query<{ id: string }>(statement)).length;
  return count;
}

/** A bounce with only the provider's message id suppresses the address after a minute, even if it is not matched. */
const UNMATCHED_AFTER_SECONDS = 75;

/** Excludes receipts of SMS whose id was lost with the provider's response: they wait for a day and never match. */
const LEFT = `
  SELECT (SELECT coalesce(sum(1 + recipients - accepted - skipped_suppressed - skipped_no_consent - skipped_deleted
        - skipped_failed - skipped_out_of_topic), 0)::integer
      FROM campaigns WHERE status IN ('scheduled', 'running')) AS "recipients of running campaigns",
    (SELECT count(*)::integer FROM pending_deliveries) AS "messages without a final status",
    (SELECT count(*)::integer FROM outbox_events) AS "events in the outbox",
    (SELECT count(*)::integer FROM contact_erasures) AS "erasures to be repeated",
    (SELECT count(*)::integer FROM webhook_deliveries WHERE due_at IS NOT NULL) AS "webhook deliveries",
    (SELECT count(*)::integer FROM unmatched_events u
      WHERE message_id IS NOT NULL OR (type = 'bounced' AND received_at > now() - interval '${UNMATCHED_AFTER_SECONDS} seconds')
        OR EXISTS (SELECT FROM message_logs m WHERE m.provider_message_id = u.provider_message_id)
    ) AS "events without a message"`;

/**
 * Only unclaimed work. The sweep, which finds messages whose job was lost, is brought forward too.
 */
const FORWARD = [
  `UPDATE pending_deliveries SET next_attempt_at = least(next_attempt_at, now()), sweep_at = now()
    WHERE (lease_ends_at IS NULL OR lease_ends_at <= now()) AND sweep_at > now()
      AND scheduled_at IS NULL RETURNING message_id AS id`,
  `UPDATE webhook_deliveries SET due_at = now() WHERE state = 'retrying' AND due_at > now() RETURNING id`,
  `UPDATE contact_erasures SET due_at = now() WHERE due_at > now() RETURNING contact_id AS id`,
  `UPDATE unmatched_events SET next_match_at = now() WHERE next_match_at > now() RETURNING id`,
];
