import { basename } from 'node:path';
import { text } from 'node:stream/consumers';

import { DeliveryError } from '../index.js';
import { clientOf, EXIT, type ExitCode, parse, printJson, readInput, type Terminal, UsageError } from './command.js';

const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  'from-name': { type: 'string' },
  'reply-to': { type: 'string' },
  cc: { type: 'string', multiple: true },
  bcc: { type: 'string', multiple: true },
  subject: { type: 'string' },
  text: { type: 'string' },
  html: { type: 'string' },
  template: { type: 'string' },
  variables: { type: 'string' },
  strict: { type: 'boolean' },
  attach: { type: 'string', multiple: true },
  tag: { type: 'string', multiple: true },
  topic: { type: 'string' },
  schedule: { type: 'string' },
  'idempotency-key': { type: 'string' },
  sms: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values'];

/** A send that may have been accepted although it failed (`cause`) or was interrupted. */
export class UnansweredSend extends Error {
  constructor(
    cause: unknown,
    readonly idempotencyKey: string,
  ) {
    super('The send was not answered', { cause });
  }
}

/** Sends one e-mail or SMS. */
export async function send(args: string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = parse(args, OPTIONS);
  if (positionals.length > 0) throw new UsageError(`${positionals[0] ?? ''} is not an option`);
  if (!values.to) throw new UsageError('--to is missing');
  const client = clientOf(terminal);
  const { 'idempotency-key': idempotencyKey = crypto.randomUUID() } = values;
  const options = { idempotencyKey, signal: terminal.signal };
  const call = values.sms
    ? client.sms.send(await smsOf(values, values.to, terminal), options)
    : client.emails.send(await emailOf(values, values.to, terminal), options);
  const queued = await call.catch((error: unknown) => {
    const mayBeQueued = error instanceof DeliveryError ? error.mayHaveSucceeded : terminal.signal.aborted;
    throw mayBeQueued ? new UnansweredSend(error, idempotencyKey) : error;
  });
  if (values.json) printJson(terminal, queued);
  else terminal.stdout(`Queued ${queued.messageLogId}\n`);
  return EXIT.ok;
}

async function smsOf(values: Values, to: string, terminal: Terminal) {
  const body = await textOf(values, terminal);
  if (body === undefined) throw new UsageError('--text, or a text on standard input, is missing');
  return { to, body, topicId: values.topic, scheduledAt: values.schedule };
}

async function emailOf(values: Values, to: string, terminal: Terminal) {
  const fromEmail = values.from ?? terminal.env.DELIVERY_FROM;
  if (!fromEmail) throw new UsageError('--from is missing, and so is DELIVERY_FROM');
  return {
    to,
    fromEmail,
    fromName: values['from-name'],
    replyTo: values['reply-to'],
    cc: values.cc,
    bcc: values.bcc,
    subject: values.subject,
    text: await textOf(values, terminal),
    html: values.html === undefined ? undefined : (await readInput(values.html)).toString(),
    templateId: values.template,
    variables: values.variables === undefined ? undefined : variablesIn(values.variables),
    strictVariables: values.strict,
    attachments: values.attach && (await Promise.all(values.attach.map(attachmentOf))),
    tags: values.tag,
    topicId: values.topic,
    scheduledAt: values.schedule,
  };
}

/** `--text`, or standard input if that is `-` or if there is nothing else to send. */
async function textOf({ text: given, html, template }: Values, { stdin }: Terminal): Promise<string | undefined> {
  const isPiped = given === undefined && html === undefined && template === undefined && !stdin.isTTY;
  return given === '-' || isPiped ? text(stdin as NodeJS.ReadableStream) : given;
}

function variablesIn(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    throw new UsageError('--variables is not JSON');
  }
}

const attachmentOf = async (path: string) => ({
  filename: basename(path),
  content: new Uint8Array(await readInput(path)),
});
