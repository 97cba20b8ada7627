import type { Channel } from '../../shared/channel.js';

/** Mail to this domain is simulated for live keys, too. It is reserved (RFC 6761): nobody has addresses there. */
const SIMULATOR_DOMAIN = 'simulator.test';

/** The name of the simulator as a provider. */
export const SIMULATOR = 'simulator';

/** The origination number of simulated SMS for accounts that need none. */
export const SIMULATED_ORIGINATION_NUMBER = '+15005550000';

/** The reports of the simulator about a message that it has accepted. */
export const REPORTS = [
  'delivered',
  'bounced',
  'soft_bounced',
  'complained',
  'undelivered',
  'opened',
  'clicked',
  'unsubscribed',
  'stop_reply',
] as const;
export type Report = (typeof REPORTS)[number];

/** A report, and the delay after the acceptance at which it is due. */
export interface DueAfter {
  report: Report;
  afterMs: number;
}

/** The answer of the simulator to a submission. */
export type Simulation =
  | { kind: 'accepted'; reports: readonly DueAfter[] }
  /** Refused permanently. */
  | { kind: 'refused'; reply: string }
  | { kind: 'delayed'; reply: string; retryAfterMs: number }
  /** The recipient counts as suppressed: nothing is accepted for it. */
  | { kind: 'suppressed' };

const FIRST_MS = 1_000;
const SECOND_MS = 2_000;
const RETRY_AFTER_MS = 5_000;
/** The number of attempts that a delayed message fails. */
const DELAYED_ATTEMPTS = 2;

const DELIVERED: DueAfter = { report: 'delivered', afterMs: FIRST_MS };

const accepted = (...reports: DueAfter[]): Simulation => ({ kind: 'accepted', reports });
/** A report in place of a delivery. */
const instead = (report: Report): Simulation => accepted({ report, afterMs: SECOND_MS });
const deliveredThen = (report: Report): Simulation => accepted(DELIVERED, { report, afterMs: SECOND_MS });

const REFUSED: Simulation = { kind: 'refused', reply: '550 5.7.1 simulated' };
const DELAYED: Simulation = { kind: 'delayed', reply: '451 4.7.1 simulated', retryAfterMs: RETRY_AFTER_MS };
const SUPPRESSED: Simulation = { kind: 'suppressed' };

/** The simulations by the local part of the recipient, before a `+`. */
const BY_LOCAL_PART = new Map<string, (attempt: number) => Simulation>([
  ['bounced', () => instead('bounced')],
  ['soft-bounced', () => instead('soft_bounced')],
  ['complained', () => instead('complained')],
  ['delayed', (attempt) => (attempt <= DELAYED_ATTEMPTS ? DELAYED : accepted(DELIVERED))],
  ['failed', () => REFUSED],
  ['suppressed', () => SUPPRESSED],
  ['opened', () => deliveredThen('opened')],
  ['clicked', () => deliveredThen('clicked')],
  ['unsubscribed', () => deliveredThen('unsubscribed')],
]);

/** The simulations by test number, which nobody can have. */
const BY_NUMBER = new Map<string, Simulation>([
  ['+15005550001', accepted(DELIVERED)],
  ['+15005550002', instead('undelivered')],
  ['+15005550003', SUPPRESSED],
  ['+15005550004', deliveredThen('stop_reply')],
]);

/** Whether messages to the normalised recipient are simulated for every key. */
export const isSimulatedRecipient = (channel: Channel, recipient: string): boolean =>
  channel === 'sms' ? BY_NUMBER.has(recipient) : recipient.endsWith(`@${SIMULATOR_DOMAIN}`);

/** The simulation of the `attempt`th submission, from 1, of a message to the normalised recipient. */
export function simulate(channel: Channel, recipient: string, attempt: number): Simulation {
  if (channel === 'sms') return BY_NUMBER.get(recipient) ?? accepted(DELIVERED);
  const [localPart = ''] = recipient.slice(0, recipient.lastIndexOf('@')).split('+');
  return BY_LOCAL_PART.get(localPart)?.(attempt) ?? accepted(DELIVERED);
}

/**
 * Whether a message to the normalised recipient is simulated and refused as suppressed. `isTest`: of a test account.
 */
export const isSimulatedSuppression = (channel: Channel, recipient: string, isTest: boolean): boolean =>
  (isTest || isSimulatedRecipient(channel, recipient)) && simulate(channel, recipient, 1).kind === 'suppressed';

/** The simulator's id of a message. */
export const simulatorMessageId = (messageId: string): string => `${messageId}@${SIMULATOR_DOMAIN}`;
