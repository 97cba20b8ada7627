import type { DeliveryClient, FeedEvent, Message } from '../index.js';
import { ApiError } from '../index.js';
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
  /** Ignored. Earlier versions polled at this interval. */
  interval: { type: 'string' },
  tag: { type: 'string' },
  topic: { type: 'string' },
  search: { type: 'string' },
  once: { type: 'boolean' },
} as const;

const MAX_REMEMBERED = 1_000;

const GOOD = new Set(['delivered', 'opened', 'clicked']);
const UNFINISHED = new Set(['queued', 'sending', 'sent', 'delayed']);

interface Filters {
  tag: string | undefined;
  topicId: string | undefined;
  search: string | undefined;
}

/** Prints the latest messages of the key, then the events of its messages, until it is interrupted. */
export async function tail(args: string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = parse(args, OPTIONS);
  const { tag, topic: topicId, search, once, json } = values;
  const lines = numberOf('lines', values.lines);
  const client = clientOf(terminal);
  // First: what happens while the list is read is printed too.
  const { nextCursor } = once ? { nextCursor: '' } : await client.messages.eventPage();
  const { items } = await client.messages.page({ tag, topicId, search, limit: Math.min(Math.max(lines, 1), 100) });
  for (const message of items.slice(0, lines).reverse()) {
    if (json) printJson(terminal, message);
    else printLine(terminal, message.createdAt, message.status, message, message.error);
  }
  if (once) return EXIT.ok;
  const messages = new KnownMessages(client, items);
  try {
    for await (const event of client.messages.events({ after: nextCursor }, { signal: terminal.signal }))
      await show(event, messages, { tag, topicId, search }, { ...terminal, json: json === true });
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
  }
  return EXIT.ok;
}

async function show(
  event: FeedEvent,
  messages: KnownMessages,
  filters: Filters,
  terminal: Terminal & { json: boolean },
): Promise<void> {
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  const message = terminal.json && !isFiltered ? null : await messages.get(event.messageLogId, terminal.signal);
  if (isFiltered && !(message && matches(message, filters))) return;
  if (terminal.json) printJson(terminal, event);
  else {
    const { type, occurredAt, messageLogId: id, recipient } = event;
    printLine(terminal, occurredAt, type, message ?? { id, to: recipient ?? '', subject: null }, detailOf(event));
  }
}

/** The messages of recent events. */
class KnownMessages {
  private readonly known = new Map<string, Message>();

  constructor(
    private readonly client: DeliveryClient,
    shown: readonly Message[],
  ) {
    for (const message of shown) this.known.set(message.id, message);
  }

  /** Null if the message is not kept any more. */
  async get(id: string, signal: AbortSignal): Promise<Message | null> {
    const known = this.known.get(id);
    if (known) return known;
    try {
      const message = await this.client.messages.get(id, { signal });
      this.known.set(id, message);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MAX_REMEMBERED) break;
      this.known.delete(oldest);
    }
    return this.known.get(id) ?? null;
  }
}

/** Applies the filters as the list of messages does. */
function matches(message: Message, { tag, topicId, search }: Filters): boolean {
  const { tags, to, from, subject } = message;
  if (tag !== undefined && !tags.includes(tag)) return false;
  if (topicId !== undefined && message.topicId !== topicId) return false;
  const wanted = (search ?? '').toLowerCase();
  return [to, from, subject ?? ''].some((text) => text.toLowerCase().includes(wanted));
}

/** The most specific detail of an event. */
function detailOf({ data }: FeedEvent): string | null {
  const { url, diagnosticCode, smtpResponse, reason } = data as Record<string, unknown>;
  return [url, diagnosticCode, smtpResponse, reason].find((detail) => typeof detail === 'string') ?? null;
}

function printLine(
  terminal: Terminal,
  at: string,
  what: string,
  { id, to, subject, channel }: Pick<Message, 'id' | 'to' | 'subject'> & { channel?: string },
  detail: string | null,
): void {
  const colour = UNFINISHED.has(what) ? 'dim' : GOOD.has(what) ? 'green' : 'red';
  const shown = coloured(terminal, colour, what.padEnd(10));
  const about = printable(subject ?? channel ?? '');
  terminal.stdout(`${at}  ${shown}  ${id}  ${printable(to)}  ${about}${detail ? `  ${printable(detail)}` : ''}\n`);
}

function numberOf(name: string, value: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(value)) throw new UsageError(`--${name} is not a number`);
  return Number(value);
}
