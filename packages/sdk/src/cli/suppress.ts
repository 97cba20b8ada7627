import { text } from 'node:stream/consumers';

import { ApiError, type DeliveryClient } from '../index.js';
import {
  clientOf,
  coloured,
  EXIT,
  type ExitCode,
  parse,
  printable,
  printJson,
  readInput,
  type Terminal,
  UsageError,
} from './command.js';

const OPTIONS = { file: { type: 'string' } } as const;
const BATCH = 500;

interface Outcome {
  address: string;
  /** The reason why the address is suppressed, `erased`, or `not suppressed`; null after an error. */
  status: string | null;
  /** The time of the suppression. */
  since?: string | null;
  error: string | null;
}

const NOT_SUPPRESSED = 'not suppressed';

/** Suppresses addresses (`add`), or shows which of them are suppressed (`check`). */
export async function suppress(args: string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = parse(args, OPTIONS);
  const [action, ...given] = positionals;
  if (action === 'remove')
    throw new UsageError('A key cannot lift a suppression: an admin does that in the dashboard, under Suppressions');
  if (action !== 'add' && action !== 'check') throw new UsageError('suppress needs add or check');
  const addresses = [...given, ...(await addressesIn(values.file, terminal))];
  if (addresses.length === 0) throw new UsageError('There is no address');
  const phone = addresses.find((address) => !address.includes('@'));
  if (phone !== undefined && action === 'add')
    throw new UsageError(
      `${phone} is not an e-mail address; a phone number is suppressed by an admin, in the dashboard`,
    );
  const client = clientOf(terminal);
  const outcomes = action === 'add' ? await add(client, addresses) : await check(client, addresses);
  for (const outcome of outcomes) {
    if (values.json) printJson(terminal, outcome);
    else terminal.stdout(lineOf(outcome, terminal));
  }
  return outcomes.some(({ error }) => error !== null) ? EXIT.refused : EXIT.ok;
}

/** A key cannot write to the suppression list, but a contact that is `unsubscribed` is suppressed. */
async function add(client: DeliveryClient, addresses: string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < addresses.length; from += BATCH) {
    const batch = addresses.slice(from, from + BATCH);
    const { errors } = await client.contacts.import(batch.map((email) => ({ email, status: 'unsubscribed' as const })));
    const errorAt = new Map(errors.map(({ index, message }) => [index, message]));
    outcomes.push(
      ...batch.map((address, i) => {
        const error = errorAt.get(i) ?? null;
        return { address, status: error === null ? 'unsubscribed' : null, error };
      }),
    );
  }
  return outcomes;
}

async function check(client: DeliveryClient, addresses: string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const address of addresses) outcomes.push(await checkOne(client, address));
  return outcomes;
}

async function checkOne(client: DeliveryClient, address: string): Promise<Outcome> {
  try {
    const { items } = await client.suppressions.page({ address: address.trim() });
    const [entry] = items;
    if (!entry) return { address, status: NOT_SUPPRESSED, since: null, error: null };
    return { address, status: entry.erased ? 'erased' : entry.reason, since: entry.createdAt, error: null };
  } catch (error) {
    // Such as text that is no address: the other ones are checked all the same.
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return { address, status: null, since: null, error: error.message };
  }
}

function lineOf({ address, status, since, error }: Outcome, terminal: Terminal): string {
  const shown = printable(address);
  if (error !== null) return `${coloured(terminal, 'red', 'refused')}  ${shown}  ${printable(error)}\n`;
  const colour = status === NOT_SUPPRESSED ? 'green' : 'yellow';
  return `${coloured(terminal, colour, status ?? '')}  ${shown}${since ? `  since ${since}` : ''}\n`;
}

/** Reads one address per line; `-` is standard input. */
async function addressesIn(file: string | undefined, { stdin }: Terminal): Promise<string[]> {
  if (file === undefined) return [];
  const lines = file === '-' ? await text(stdin as NodeJS.ReadableStream) : (await readInput(file)).toString();
  return lines
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
