import { createHash } from 'node:crypto';

import { TimeSlice } from '../../../shared/time-slice.js';
import type { EnvelopeRecipient } from '../domain/addresses.js';
import { valuesOf } from '../domain/mime/header-fields.js';
import type { Leaf, Part } from '../domain/mime/mime-parts.js';
import type { ServiceHeaders } from '../domain/service-headers.js';
import type { MailRequest } from './mail-request.js';

type IdempotencyKey = NonNullable<MailRequest['idempotencyKey']>;

interface Idempotency {
  /** The key that the mail has. */
  idempotencyKey?: IdempotencyKey;
  /** Otherwise each message has its own. */
  keyOf: (recipient: EnvelopeRecipient) => { idempotencyKey?: IdempotencyKey };
}

/** Bytes in a row. The thread pool would need a copy of the mail. */
const HASHED_AT_ONCE = 262_144;
const SLICE_MS = 5;
const HASHED_HEADERS = ['content-type', 'content-transfer-encoding', 'content-disposition'];

/**
 * Without a key in the mail, one is derived for each recipient from Message-ID, recipient and content: a client that
 * has lost the reply sends these again, perhaps not to all of the recipients. Headers may differ then. A mail without
 * either has none.
 */
export async function idempotencyOf(
  root: Part,
  bytes: Buffer,
  recipients: readonly EnvelopeRecipient[],
  { idempotencyKey: key }: Pick<ServiceHeaders, 'idempotencyKey'>,
): Promise<Idempotency> {
  const [messageId = ''] = valuesOf(root.fields, 'message-id');
  if (key === null && messageId === '') return { keyOf: () => ({}) };
  const content = textHash(await contentOf(root, bytes));
  if (key !== null) {
    const shown = ['from', 'subject'].map((name) => valuesOf(root.fields, name));
    const addresses = recipients.map(({ normalised }) => normalised).sort();
    const fingerprint = textHash(['smtp', ...shown, addresses, content]);
    return { idempotencyKey: { key, fingerprint }, keyOf: () => ({}) };
  }
  const keyOf = ({ normalised }: EnvelopeRecipient) => {
    const fingerprint = textHash([messageId, normalised, content]);
    // No key of a client has a space.
    return { idempotencyKey: { key: `Message-ID ${fingerprint}`, fingerprint } };
  };
  return { keyOf };
}

type Content = string | Content[];

/**
 * The parts as they are nested: of a multipart its type, of any other part a hash. Boundaries do not count, because
 * programs that compose the mail again choose others. Parts count as they are encoded, which a program does not change.
 */
async function contentOf(part: Part, bytes: Buffer, slice = new TimeSlice(SLICE_MS)): Promise<Content> {
  if (slice.isOver) await slice.next();
  if (part.kind === 'leaf') return hashOf(part, bytes.subarray(part.start, part.end), slice);
  const parts: Content[] = [part.type];
  for (const inner of part.parts) parts.push(await contentOf(inner, bytes, slice));
  return parts;
}

async function hashOf({ fields }: Leaf, body: Buffer, slice: TimeSlice): Promise<Content> {
  const headers = HASHED_HEADERS.flatMap((name) => valuesOf(fields, name).map((value) => `${name}: ${value}`));
  const hash = createHash('sha256');
  for (let start = 0; start < body.length; start += HASHED_AT_ONCE) {
    if (slice.isOver) await slice.next();
    hash.update(body.subarray(start, start + HASHED_AT_ONCE));
  }
  return [...headers, hash.digest('base64url')];
}

const textHash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
