import { decodeWords } from '../../../mail/reading/encoded-words.js';
import { type HeaderField, valuesOf } from '../../../mail/reading/header-fields.js';
import { Refusal } from '../../../mail/reading/refusal.js';

/** The values of the service's own headers in a mail, not validated. */
export interface ServiceHeaders {
  tags: string[];
  metadata: unknown;
  scheduledAt: string | null;
  topicId: string | null;
  unsubscribeUrl: string | null;
  idempotencyKey: string | null;
}

const NAMES = new Set(['tag', 'metadata', 'scheduled-at', 'topic', 'unsubscribe-url', 'idempotency-key']);

const prefixOf = (brand: string): string => `x-${brand.toLowerCase()}-`;

export const isServiceHeader = (name: string, brand: string): boolean => name.startsWith(prefixOf(brand));

/**
 * Throws a Refusal for unknown headers, for one that is given twice, except tags, and for metadata that is not JSON.
 */
export function readServiceHeaders(fields: readonly HeaderField[], brand: string): ServiceHeaders {
  const prefix = prefixOf(brand);
  /** Some programs encode the quotes of JSON. */
  const all = (name: string) => valuesOf(fields, prefix + name).map((value) => decodeWords(value) ?? value);
  const single = (name: string): string | null => {
    const values = all(name);
    if (values.length > 1) throw new Refusal(554, `The header ${prefix}${name} is given twice`);
    return values[0] ?? null;
  };
  const unknown = fields.find(({ name }) => isServiceHeader(name, brand) && !NAMES.has(name.slice(prefix.length)));
  if (unknown) throw new Refusal(554, `The header ${unknown.name} is not known`);
  const metadata = single('metadata');
  return {
    tags: all('tag')
      .flatMap((value) => value.split(','))
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    metadata: metadata === null ? null : parseJson(metadata, `${prefix}metadata`),
    scheduledAt: single('scheduled-at'),
    topicId: single('topic'),
    unsubscribeUrl: single('unsubscribe-url'),
    idempotencyKey: single('idempotency-key'),
  };
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(554, `The header ${name} is not a JSON object`);
  }
}
