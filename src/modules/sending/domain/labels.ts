import { MAX_MESSAGE_TAGS, MAX_METADATA_BYTES, MAX_METADATA_FIELDS } from '../../../config/limits.js';
import { isSingleLine } from '../../../shared/text.js';
import { isRecord } from '../../../shared/is-record.js';
import { printable } from './custom-headers.js';

const TAG = /^[A-Za-z0-9_-]{1,50}$/;

const isTag = (value: unknown): value is string => typeof value === 'string' && TAG.test(value);

/** Validation errors of the `tags` of a request. */
export function tagFaults(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  if (value.length > MAX_MESSAGE_TAGS) return [`tags must have at most ${MAX_MESSAGE_TAGS} entries`];
  return value.flatMap((tag, i) =>
    isTag(tag) ? [] : [`tags[${i}] must be 1 to 50 letters, digits, underscores and hyphens`],
  );
}

/** Validation errors of the `metadata` of a request. */
export function metadataFaults(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const entries = Object.entries(value);
  if (entries.length > MAX_METADATA_FIELDS) return [`metadata must have at most ${MAX_METADATA_FIELDS} entries`];
  const faults = entries.flatMap(([name, entry]) => {
    if (name === '' || !isSingleLine(name)) return [`metadata.${printable(name)} must have a name without line breaks`];
    if (typeof entry !== 'string') return [`metadata.${printable(name)} must be a string`];
    return isSingleLine(entry)
      ? []
      : [`metadata.${printable(name)} must not contain line breaks or control characters`];
  });
  if (faults.length > 0) return faults;
  const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
  return bytes > MAX_METADATA_BYTES ? [`metadata is larger than ${MAX_METADATA_BYTES} bytes together`] : [];
}
