import type { ConsentAddress, DeliveryClient, StandingConsent } from '../index.js';
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
  withdrawn: { type: 'boolean' },
  purpose: { type: 'string' },
  topic: { type: 'string' },
  at: { type: 'string' },
  wording: { type: 'string' },
  ip: { type: 'string' },
  evidence: { type: 'string' },
} as const;

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values'];

const PURPOSES = ['marketing', 'tracking'] as const;

/** Records a consent or its withdrawal (`record`), or shows the consents in force (`standing`). */
export async function consent(args: string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = parse(args, OPTIONS);
  const [action, address, ...others] = positionals;
  if (action !== 'record' && action !== 'standing') throw new UsageError('consent needs record or standing');
  if (address === undefined || others.length > 0) throw new UsageError(`consent ${action} needs one address`);
  const client = clientOf(terminal);
  const person = address.includes('@') ? { email: address } : { phone: address };
  if (action === 'record') await record(client, person, values, terminal);
  else await show(client, person, values, terminal);
  return EXIT.ok;
}

async function record(
  client: DeliveryClient,
  address: ConsentAddress,
  { withdrawn, purpose, topic, at, json, wording, ip, evidence }: Values,
  terminal: Terminal,
): Promise<void> {
  const known = PURPOSES.find((one) => one === (purpose ?? 'marketing'));
  if (!known) throw new UsageError(`--purpose is ${PURPOSES.join(' or ')}`);
  const recorded = await client.consents.record({
    ...{ ...address, action: withdrawn ? 'withdrawn' : 'granted', purpose: known, topicId: topic },
    ...{ occurredAt: at, wording, ip, evidence },
  });
  if (json) printJson(terminal, recorded);
  else terminal.stdout(`${recorded.action}  ${printable(recorded.address)}  ${recorded.occurredAt}  ${recorded.id}\n`);
}

async function show(
  client: DeliveryClient,
  address: ConsentAddress,
  { json }: Values,
  terminal: Terminal,
): Promise<void> {
  for (const standing of await client.consents.standing(address)) {
    if (json) printJson(terminal, standing);
    else terminal.stdout(lineOf(standing, terminal));
  }
}

function lineOf({ purpose, topicId, state, since }: StandingConsent, terminal: Terminal): string {
  const shown = coloured(terminal, state === 'granted' ? 'green' : 'yellow', state);
  return `${[shown, topicId === null ? purpose : `${purpose} ${topicId}`, since].filter((part) => part).join('  ')}\n`;
}
