import { setTimeout as pause } from 'node:timers/promises';

import type { Load } from './load.js';
import type { Reports } from './reports.js';
import type { Stage } from './stage.js';

const LOOK_EVERY_MS = 500;
const BRING_FORWARD_EVERY_MS = 6_000;
const SETTLES_WITHIN_MS = 90_000;
/** A mail that has just come is yet to be told of. */
const QUIET_LOOKS = 4;

export interface Settled {
  /** What was still to be done when the time was up. */
  unfinished: string[];
  /** Retries for which the run did not wait as long as the service would. */
  broughtForward: number;
}

/** Waits until nothing is left to be done. Retries that wait for minutes are made due, as if the minutes had passed. */
export async function settle(stage: Stage, load: Load, reports: Reports): Promise<Settled> {
  const deadline = Date.now() + SETTLES_WITHIN_MS;
  let [broughtForward, nextForward, quiet] = [0, 0, 0];
  for (;;) {
    const left = await unfinished(stage, load, reports).catch((error: unknown) => [String(error)]);
    quiet = left.length === 0 ? quiet + 1 : 0;
    const isOver = Date.now() > deadline;
    if (quiet >= QUIET_LOOKS || isOver) return { unfinished: [...left, ...stage.clients.refused], broughtForward };
    if (left.length > 0 && Date.now() >= nextForward) {
      broughtForward += await bringForward(stage).catch(() => 0); // until the database answers again
      nextForward = Date.now() + BRING_FORWARD_EVERY_MS;
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function unfinished({ database, clients }: Stage, load: Load, reports: Reports): Promise<string[]> {
  const [row] = await database.query<Record<string, number>>(LEFT);
  const counts = {
    ...row,
    'calls of clients': clients.unfinished,
    'sends that are insisted on': load.unfinished,
    'reports of providers': reports.unfinished,
  };
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
}

async function bringForward({ database }: Stage): Promise<number> {
  let count = 0;
  for (const statement of FORWARD) count += (await database.query<{ id: string }>(statement)).length;
  return count;
}

const LEFT = `
  SELECT (SELECT count(*)::integer FROM pending_deliveries) AS "messages without an end",
    (SELECT count(*)::integer FROM outbox_events) AS "events in the outbox",
    (SELECT count(*)::integer FROM webhook_deliveries WHERE due_at IS NOT NULL) AS "deliveries of webhooks",
    (SELECT count(*)::integer FROM unmatched_events) AS "events without a message"`;

/** Only what nobody has in hand. A message whose alarm was lost is looked at again by the sweep, which is brought forward too. */
const FORWARD = [
  `UPDATE pending_deliveries SET next_attempt_at = least(next_attempt_at, now()), sweep_at = now()
    WHERE (lease_ends_at IS NULL OR lease_ends_at <= now()) AND sweep_at > now() RETURNING message_id AS id`,
  `UPDATE webhook_deliveries SET due_at = now() WHERE state = 'retrying' AND due_at > now() RETURNING id`,
  `UPDATE unmatched_events SET next_match_at = now() WHERE next_match_at > now() RETURNING id`,
];
