import { setTimeout as pause } from 'node:timers/promises';

import type { DeliveryClient, Message, MessageFilters } from '../index.js';
import {
  clientOf,
  coloured,
  EXIT,
  type ExitCode,
  parse,
  printable,
  printJson,
  type Terminal,
  UsageError,
} from './command.js';

const OPTIONS = {
  lines: { type: 'string', short: 'n', default: '10' },
  interval: { type: 'string', default: '2' },
  tag: { type: 'string' },
  search: { type: 'string' },
  once: { type: 'boolean' },
} as const;

/** Of two messages accepted at the same time, the one with the smaller id can appear later than the other. */
const OVERLAP_MS = 60_000;

/** Changes of older messages are not followed: what is scheduled would have every poll read all that was sent since. */
const FOLLOWED_MS = 3_600_000;

/** In seconds. A shorter one would keep the service busy, and a timer of over 24 days fires at once. */
const [SHORTEST_INTERVAL, LONGEST_INTERVAL] = [0.05, 86_400];

const UNFINISHED = new Set<Message['status']>(['queued', 'sending', 'sent']);

/** Prints the latest messages of the key, then new ones and changes of their status, until it is interrupted. */
export async function tail(args: string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = parse(args, OPTIONS);
  const [lines, interval] = [numberOf('lines', values.lines), numberOf('interval', values.interval)];
  if (interval < SHORTEST_INTERVAL || interval > LONGEST_INTERVAL)
    throw new UsageError(`--interval must be ${SHORTEST_INTERVAL} to ${LONGEST_INTERVAL} seconds`);
  const filters = { tag: values.tag, search: values.search };
  const show = (message: Message) => {
    if (values.json) printJson(terminal, message);
    else terminal.stdout(lineOf(message, terminal));
  };
  const client = clientOf(terminal);
  const { items } = await client.messages.page({ ...filters, limit: Math.min(Math.max(lines, 1), 100) });
  for (const message of items.slice(0, lines).reverse()) show(message);
  if (values.once) return EXIT.ok;

  const follower = new Follower(client, filters, items);
  const isInterrupted = () => terminal.signal.aborted;
  while (!isInterrupted()) {
    await pause(interval * 1_000, undefined, { signal: terminal.signal }).catch(() => undefined);
    if (!isInterrupted()) for (const message of await follower.poll(terminal.signal)) show(message);
  }
  return EXIT.ok;
}

/** Remembers the status of recent messages. */
class Follower {
  private known = new Map<string, Message>();
  private newestMs = Date.now() - OVERLAP_MS;

  constructor(
    private readonly client: DeliveryClient,
    private readonly filters: MessageFilters,
    shown: readonly Message[],
  ) {
    for (const message of shown) this.remember(message);
  }

  /** What is new or has changed since the last call, oldest first. */
  async poll(signal: AbortSignal): Promise<Message[]> {
    const from = this.beginning();
    for (const [id, { createdAt }] of this.known) if (Date.parse(createdAt) < from) this.known.delete(id);
    const changed: Message[] = [];
    for await (const message of this.client.messages.list({ ...this.filters, from: new Date(from) }, { signal })) {
      if (this.known.get(message.id)?.status !== message.status) changed.push(message);
      this.remember(message);
    }
    return changed.reverse();
  }

  private remember(message: Message): void {
    this.known.set(message.id, message);
    this.newestMs = Math.max(this.newestMs, Date.parse(message.createdAt));
  }

  /** The oldest message that may still change, or before the newest. */
  private beginning(): number {
    const unfinished = [...this.known.values()].filter(({ status }) => UNFINISHED.has(status));
    const oldest = Math.min(...unfinished.map(({ createdAt }) => Date.parse(createdAt)));
    return Math.min(Math.max(oldest, this.newestMs - FOLLOWED_MS), this.newestMs - OVERLAP_MS);
  }
}

function lineOf({ id, createdAt, status, channel, to, subject, error }: Message, terminal: Terminal): string {
  const colour = UNFINISHED.has(status) ? 'dim' : status === 'delivered' ? 'green' : 'red';
  const shown = coloured(terminal, colour, status.padEnd(10));
  const what = printable(subject ?? channel);
  return `${createdAt}  ${shown}  ${id}  ${printable(to)}  ${what}${error === null ? '' : `  ${printable(error)}`}\n`;
}

function numberOf(name: string, value: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(value)) throw new UsageError(`--${name} is not a number`);
  return Number(value);
}
