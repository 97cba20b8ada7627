import { setTimeout as pause } from 'node:timers/promises';

import type { Environment } from './environment.js';

const LOOK_EVERY_MS = 500;
const BRING_FORWARD_EVERY_MS = 6_000;
/** As long as there is less to be done than ever before, it goes on. */
const STUCK_AFTER_MS = 90_000;
/** A mail that has just come is yet to be reported. */
const QUIET_LOOKS = 4;

export interface Settled {
  /** What was still to be done when the time was up. */
  unfinished: string[];
  /** Retries for which the run did not wait as long as the service would. */
  broughtForward: number;
}

/** Waits until nothing is left to be done. Retries that wait for minutes are made due, as if the minutes had passed. */
export async function settle(environment: Environment, ofClients: () => Record<string, number>): Promise<Settled> {
  let deadline = Date.now() + STUCK_AFTER_MS;
  let [least, broughtForward, nextForward, quiet] = [Infinity, 0, 0, 0];
  for (;;) {
    const left = await countLeft(environment, ofClients).catch((error: unknown) => ({ [String(error)]: 1 }));
    const sum = Object.values(left).reduce((total, count) => total + count, 0);
    quiet = sum === 0 ? quiet + 1 : 0;
    if (sum < least) [least, deadline] = [sum, Date.now() + STUCK_AFTER_MS];
    if (quiet >= QUIET_LOOKS || Date.now() > deadline) {
      const unfinished = Object.entries(left).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
      return { unfinished: [...unfinished, ...environment.clients.refused], broughtForward };
    }
    if (sum > 0 && Date.now() >= nextForward) {
      broughtForward += await bringForward(environment).catch(() => 0); // until the database answers again
      nextForward = Date.now() + BRING_FORWARD_EVERY_MS;
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function countLeft({ database }: Environment, ofClients: () => Record<string, number>) {
  const [row] = await database.query<Record<string, number>>(LEFT);
  return { ...row, ...ofClients() };
}

async function bringForward({ database }: Environment): Promise<number> {
  let count = 0;
  for (const statement of FORWARD) count += (await database.query<{ id: string }>(statement)).length;
  return count;
}

/** A bounce that names its message by the provider's id alone suppresses without it after a minute. */
const ALONE_AFTER_SECONDS = 75;

/** The receipt of an SMS whose id was lost with the provider's answer waits for a day, and in vain. */
const LEFT = `
  SELECT (SELECT count(*)::integer FROM pending_deliveries) AS "messages without an end",
    (SELECT count(*)::integer FROM outbox_events) AS "events in the outbox",
    (SELECT count(*)::integer FROM webhook_deliveries WHERE due_at IS NOT NULL) AS "deliveries of webhooks",
    (SELECT count(*)::integer FROM unmatched_events u
      WHERE message_id IS NOT NULL OR (type = 'bounced' AND received_at > now() - interval '${ALONE_AFTER_SECONDS} seconds')
        OR EXISTS (SELECT FROM message_logs m WHERE m.provider_message_id = u.provider_message_id)
    ) AS "events without a message"`;

/**
 * Only what nobody has claimed. A message whose job was lost is looked at again by the sweep, which is brought forward
 * too.
 */
const FORWARD = [
  `UPDATE pending_deliveries SET next_attempt_at = least(next_attempt_at, now()), sweep_at = now()
    WHERE (lease_ends_at IS NULL OR lease_ends_at <= now()) AND sweep_at > now() RETURNING message_id AS id`,
  `UPDATE webhook_deliveries SET due_at = now() WHERE state = 'retrying' AND due_at > now() RETURNING id`,
  `UPDATE unmatched_events SET next_match_at = now() WHERE next_match_at > now() RETURNING id`,
];
