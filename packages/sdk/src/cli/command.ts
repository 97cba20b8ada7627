import { readFile } from 'node:fs/promises';
import { parseArgs, type ParseArgsConfig } from 'node:util';

import { type ClientOptions, DeliveryClient } from '../index.js';

/** Exit codes: `refused` covers failed checks and rows that were not imported. */
export const EXIT = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The environment, streams and signal of a command. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** Whether the output goes to a terminal: then it has colours and columns. */
  isTerminal: boolean;
  /** Aborted when the command is interrupted. */
  signal: AbortSignal;
}

/** An error in the command line. The usage is printed after its message. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

export const COMMON_OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

type Parsed<Own extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Own & typeof COMMON_OPTIONS; allowPositionals: true }>
>;

/** Like `parseArgs` of Node, with the common options. */
export function parse<const Own extends Options>(args: string[], options: Own): Parsed<Own> {
  try {
    return parseArgs({ args, options: { ...options, ...COMMON_OPTIONS }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export function baseUrlOf({ env }: Terminal): string {
  const { DELIVERY_BASE_URL: url = 'http://localhost:3000' } = env;
  if (!URL.canParse(url)) throw new UsageError('DELIVERY_BASE_URL is not a URL');
  return url;
}

export function apiKeyOf({ env }: Terminal): string {
  const { DELIVERY_API_KEY: key } = env;
  if (!key) throw new UsageError('DELIVERY_API_KEY must hold the secret of an API key');
  return key;
}

export const clientOf = (terminal: Terminal, options: Pick<ClientOptions, 'fetch'> = {}): DeliveryClient =>
  new DeliveryClient({ apiKey: apiKeyOf(terminal), baseUrl: baseUrlOf(terminal), ...options });

/** Reads the file that an option names. */
export const readInput = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    throw new UsageError((error as Error).message);
  });

/** Prints a value as one line of JSON. Control characters are escaped, including those that JSON allows. */
export const printJson = ({ stdout }: Terminal, value: unknown): void => {
  stdout(`${JSON.stringify(value).replace(CONTROLS, escaped)}\n`);
};

/** Control characters, and those that change the direction of text or do not show. */
const CONTROLS = /[\p{Cc}\p{Cf}]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }).join('');

/** Replaces control characters, so that text of others does not control the terminal. */
export const printable = (text: string): string => text.replace(CONTROLS, ' ');

const COLOURS = { red: 31, green: 32, yellow: 33, dim: 2 };

export const coloured = ({ isTerminal }: Terminal, colour: keyof typeof COLOURS, text: string): string =>
  isTerminal ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
