import { createHash } from 'node:crypto';

import type { EnvelopeRecipient } from '../../../mail/reading/addresses.js';
import { valuesOf } from '../../../mail/reading/header-fields.js';
import type { Leaf, Part } from '../../../mail/reading/mime-parts.js';
import type { ServiceHeaders } from '../domain/service-headers.js';
import type { MailRequest } from './mail-request.js';

type IdempotencyKey = NonNullable<MailRequest['idempotencyKey']>;

interface Idempotency {
  /** The key that the mail has. */
  idempotencyKey?: IdempotencyKey;
  /** Otherwise each message has its own. */
  keyOf: (recipient: EnvelopeRecipient) => { idempotencyKey?: IdempotencyKey };
}

const HASHED_HEADERS = ['content-type', 'content-transfer-encoding', 'content-disposition'];

/**
 * Without a key in the mail, one is derived for each recipient from Message-ID, recipient and content: a client that
 * has lost the reply sends these again, perhaps not to all of the recipients. Headers may differ then. A mail with
 * neither a key nor a Message-ID has none.
 */
export function idempotencyOf(
  root: Part,
  bytes: Buffer,
  recipients: readonly EnvelopeRecipient[],
  { idempotencyKey: key }: Pick<ServiceHeaders, 'idempotencyKey'>,
): Idempotency {
  const [messageId = ''] = valuesOf(root.fields, 'message-id');
  if (key === null && messageId === '') return { keyOf: () => ({}) };
  const content = textHash(contentOf(root, bytes));
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
function contentOf(part: Part, bytes: Buffer): Content {
  if (part.kind === 'leaf') return hashOf(part, bytes.subarray(part.start, part.end));
  return [part.type, ...part.parts.map((inner) => contentOf(inner, bytes))];
}

function hashOf({ fields }: Leaf, body: Buffer): Content {
  const headers = HASHED_HEADERS.flatMap((name) => valuesOf(fields, name).map((value) => `${name}: ${value}`));
  return [...headers, createHash('sha256').update(body).digest('base64url')];
}

const textHash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
