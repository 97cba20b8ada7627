import { groupBy } from '../../src/shared/group-by.js';
import type { Evidence, MessageRow, Send } from '../evidence.js';
import type { Entry } from './entry.js';

/** The plan has no fault that may end a message otherwise. */
const REACHED = ['sent', 'delivered', 'bounced', 'complained'];

/** Whether the message may have been accepted although no client was told so. */
const isOpen = ({ status }: Send) => status === 'cut' || status >= 500;

export function checkAccepted({ sends, messages }: Evidence): Entry {
  const told = sends.filter(({ status }) => status === 201);
  const rows = new Map(messages.map((row) => [row.id, row]));
  const bySend = groupBy(messages, ({ recipient }) => recipient);
  const gaps = [
    ...told.flatMap((send) => gapsOfTold(send, rows)),
    ...told
      .filter(({ isSuppressed }) => isSuppressed)
      .map(({ recipient }) => `${recipient} was suppressed, yet answered 201`),
    ...sends.flatMap(({ recipient }) => {
      const count = bySend.get(recipient)?.length ?? 0;
      return count > 1 ? [`${recipient} was to get one message and has ${count}`] : [];
    }),
    ...unaskedFor(sends, messages),
  ];
  const open = sends.filter(isOpen).length;
  const stored = messages.length - told.length;
  return {
    name: 'Every 201 has one message, which ends',
    counted: `${sends.length} sends: ${told.length} answered 201; ${open} cut or 5xx, ${stored} of which are stored all the same`,
    gaps,
  };
}

function gapsOfTold({ accepted, recipient }: Send, rows: Map<string, MessageRow>): string[] {
  return accepted.flatMap(({ messageId }) => {
    const row = rows.get(messageId);
    if (!row) return [`${messageId} was answered 201 and is not there`];
    return row.recipient === recipient ? [] : [`${messageId} went to ${row.recipient} instead of ${recipient}`];
  });
}

function unaskedFor(sends: readonly Send[], messages: readonly MessageRow[]): string[] {
  const allowed = new Set(
    sends.filter((send) => send.status === 201 || isOpen(send)).map(({ recipient }) => recipient),
  );
  return [
    ...messages
      .filter(({ recipient }) => !allowed.has(recipient))
      .map(({ id }) => `${id} is there, but was refused or never asked for`),
    ...messages.filter(({ status }) => !REACHED.includes(status)).map(({ id, status }) => `${id} is left as ${status}`),
  ];
}

export function checkReceived({ messages, received }: Evidence): Entry {
  const times = new Map<string, number>();
  for (const id of received) times.set(id, (times.get(id) ?? 0) + 1);
  const known = new Set(messages.map(({ id }) => id));
  const repeated = messages.filter(({ id }) => (times.get(id) ?? 0) > 1);
  const gaps = [
    ...messages.filter(({ id }) => !times.has(id)).map(({ id, status }) => `${id} is ${status} and was never received`),
    ...repeated.flatMap((row) => {
      const [again, excused] = [(times.get(row.id) ?? 0) - 1, excuses(row)];
      return again > excused
        ? [`${row.id} was received ${again + 1} times; its timeline tells of ${excused} reasons`]
        : [];
    }),
    ...[...times.keys()].filter((id) => !known.has(id)).map((id) => `${id} was received and is not there`),
  ];
  const because = (reason: string) =>
    repeated.filter(({ interruptions }) => interruptions.some((why) => why === reason)).length;
  return {
    name: 'Every message is received once, or again where its timeline says why',
    counted: `${messages.length} messages, ${received.length} mails; ${repeated.length} repeated: worker lost ${because('worker_lost')}, answer lost ${because('answer_lost')}`,
    gaps,
  };
}

/** A provider that refused has not taken the mail, so a refusal is no reason for a second one. */
const excuses = ({ interruptions }: MessageRow) => interruptions.filter((why) => why !== 'refused').length;
