import { createHash, webcrypto } from 'node:crypto';

import { BYTES_PER_MB } from '../../../shared/bytes.js';
import { hasAsciiLocalPart, normaliseEmail } from '../../../shared/email-address.js';
import type { VisibleRecipients } from '../../../shared/mail-recipients.js';
import { isRecord } from '../../../shared/is-record.js';
import { isSingleLine } from '../../../shared/text.js';
import { TimeSlice } from '../../../shared/time-slice.js';
import {
  attachmentFaults,
  type EmailRequest,
  isIdempotencyKey,
  isNestedTooDeep,
  isSetByService,
  isVendorControl,
  MAX_BODY_PART,
  MAX_NAME_LENGTH,
  MAX_SUBJECT_LENGTH,
  metadataFaults,
  refusedType,
  tagFaults,
  unsubscribeUrlFault,
} from '../../sending/index.js';
import {
  type EnvelopeRecipient,
  readableRecipientsOf,
  readAddresses,
  visibleRecipientsOf,
  withRoles,
} from '../domain/addresses.js';
import { customHeadersOf } from '../domain/custom-headers.js';
import { decodeWords } from '../domain/mime/encoded-words.js';
import { type HeaderField, valuesOf } from '../domain/mime/header-fields.js';
import { leavesOf, MimeReader, type Part } from '../domain/mime/mime-parts.js';
import { decodeInPlace, isWholeBase64 } from '../domain/mime/transfer-encodings.js';
import { filenameOf, plainContentOf, type PlainFile } from '../domain/plain-content.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import { Refusal } from '../domain/refusal.js';
import { isServiceHeader, readServiceHeaders, type ServiceHeaders } from '../domain/service-headers.js';
import { sourceOf } from '../domain/source.js';

/** What depends on the installation. */
export interface MailRules {
  /** The word in the names of the service's headers. */
  brand: string;
  /** Whether an unsubscribe URL may be http. */
  allowsHttp: boolean;
  maxAttachmentsMb: number;
}

/** A mail as a request to send it. */
export type MailRequest = Omit<EmailRequest, 'accountId' | 'apiKeyId' | 'keyLimit'> &
  Required<Pick<EmailRequest, 'submitted'>>;

type IdempotencyKey = NonNullable<MailRequest['idempotencyKey']>;

type Content = Pick<
  MailRequest,
  'fromName' | 'replyTo' | 'subject' | 'html' | 'text' | 'attachments' | 'headers' | 'unsubscribeUrl'
> & { visible: VisibleRecipients | null };

/** Larger bodies are hashed in the thread pool. */
const HASHED_AT_ONCE = 65_536;
const SINGLE_HEADERS = ['to', 'cc', 'reply-to', 'subject', 'date', 'mime-version', 'content-transfer-encoding'];
const FIRST_COUNTS = ['date', 'mime-version'];
const LIST_UNSUBSCRIBE = /^list-unsubscribe(?:-post)?$/;
const PLACEHOLDER = /\{\{\{? ?unsubscribeUrl ?\}\}/;

/**
 * The request that the mail stands for. One of a plain shape becomes the fields of a send; any other, and one that
 * exceeds what these can hold, is to be sent as it is. Uses the memory of the mail: its bytes are changed. Throws a
 * Refusal.
 */
export async function readMail(
  { bytes, longestLineBytes }: ReceivedMail,
  recipients: readonly string[],
  rules: MailRules,
): Promise<MailRequest> {
  const reader = new MimeReader(bytes);
  const given = await reader.read();
  const root = { ...given, fields: withoutRepeats(given.fields) };
  const { fields } = root;
  requireSingleHeaders(fields);
  const from = fromOf(fields);
  await requireDeliverableFiles(root);
  const service = checkedServiceHeaders(fields, rules);
  const envelope = withRoles(recipients, fields);
  const { idempotencyKey, keyOf } = await idempotencyOf(root, bytes, envelope, service);
  const [to, ...copies] = envelope.map((recipient) => ({ ...recipient, ...keyOf(recipient) }));
  if (!to) throw new Refusal(554, 'No recipients');
  const common = {
    to: to.email,
    fromEmail: from.email,
    fromName: from.name || null,
    ...(service.tags.length > 0 && { tags: service.tags }),
    ...(service.metadata !== null && { metadata: service.metadata as Record<string, string> }),
    unsubscribeUrl: service.unsubscribeUrl,
    scheduledAt: service.scheduledAt,
    idempotencyKey: idempotencyKey ?? to.idempotencyKey,
  };
  const content = reader.isUnfinished ? null : await plainRequest(root, bytes, service.unsubscribeUrl, rules);
  if (content) {
    const { visible, ...plain } = content;
    const shown = visible && copies.length === 0 && isOnlyOf(to, visible) ? null : visible;
    return { ...common, ...plain, submitted: { role: to.role, copies, visible: shown, source: null } };
  }
  const isRemoved = (name: string): boolean =>
    isServiceHeader(name, rules.brand) ||
    isVendorControl(name) ||
    (service.unsubscribeUrl !== null && LIST_UNSUBSCRIBE.test(name)) ||
    (service.scheduledAt !== null && name === 'date');
  const source = sourceOf(bytes, root, longestLineBytes, isRemoved);
  const subject = decodeWords(valuesOf(fields, 'subject')[0] ?? '')?.slice(0, MAX_SUBJECT_LENGTH) ?? '';
  return {
    ...common,
    replyTo: replyToOf(fields) ?? null,
    subject: isSingleLine(subject) ? subject : '',
    text: '',
    submitted: { role: to.role, copies, visible: readableRecipientsOf(fields), source },
  };
}

/** Programs add some headers twice. Of those that differ, the first Date and MIME-Version count. */
function withoutRepeats(fields: readonly HeaderField[]): HeaderField[] {
  const isRepeated = ({ name, value }: HeaderField, earlier: HeaderField): boolean =>
    earlier.name === name && (earlier.value === value || FIRST_COUNTS.includes(name));
  return fields.filter(
    (field, i) => !SINGLE_HEADERS.includes(field.name) || !fields.slice(0, i).some((other) => isRepeated(field, other)),
  );
}

function requireSingleHeaders(fields: readonly HeaderField[]): void {
  const repeated = SINGLE_HEADERS.find((name) => valuesOf(fields, name).length > 1);
  if (repeated !== undefined) throw new Refusal(554, `The header ${repeated} is given twice`);
}

function fromOf(fields: readonly HeaderField[]): { email: string; name: string } {
  const values = valuesOf(fields, 'from');
  const addresses = values.map((value) => readAddresses(value)).flat();
  const [from] = addresses;
  if (values.length === 0) throw notVerified('A mail without From');
  if (addresses.length !== 1) throw notVerified('A mail with several From addresses');
  if (!from || from.name.length > MAX_NAME_LENGTH) throw notVerified('A mail with such a From');
  return from;
}

const notVerified = (what: string): Refusal => new Refusal(550, `5.7.1 ${what} is not verified for sending`);

async function requireDeliverableFiles(root: Part): Promise<void> {
  const slice = new TimeSlice();
  for (const leaf of leavesOf(root)) {
    if (slice.isOver) await slice.next();
    const refused = refusedType(filenameOf(leaf) ?? '');
    if (refused !== undefined) throw new Refusal(554, `An attachment has a type that providers refuse: ${refused}`);
  }
}

function checkedServiceHeaders(fields: readonly HeaderField[], { brand, allowsHttp }: MailRules): ServiceHeaders {
  const headers = readServiceHeaders(fields, brand);
  const { tags, metadata, unsubscribeUrl, idempotencyKey } = headers;
  const faults = [
    ...tagFaults(tags),
    ...(metadata === null ? [] : metadataFaults(metadata)),
    ...(metadata === null || isRecord(metadata) ? [] : ['metadata must be a JSON object']),
    ...(unsubscribeUrl === null ? [] : [unsubscribeUrlFault(unsubscribeUrl, allowsHttp) ?? []].flat()),
    ...(idempotencyKey === null || isIdempotencyKey(idempotencyKey)
      ? []
      : ['Idempotency-Key must be 1 to 255 visible ASCII characters']),
  ];
  if (faults.length > 0) throw new Refusal(554, faults.join('; '));
  return headers;
}

interface Idempotency {
  /** The key that the mail has. */
  idempotencyKey?: IdempotencyKey;
  /** Otherwise each message has its own. */
  keyOf: (recipient: EnvelopeRecipient) => { idempotencyKey?: IdempotencyKey };
}

/**
 * Without a key in the mail, one is derived for each recipient from Message-ID, recipient and body: a client that has
 * lost the reply sends these again, perhaps not to all of the recipients. Headers may differ then. A mail without
 * either has none.
 */
async function idempotencyOf(
  { fields, start }: Part,
  bytes: Buffer,
  recipients: readonly EnvelopeRecipient[],
  { idempotencyKey: key }: ServiceHeaders,
): Promise<Idempotency> {
  const [messageId = ''] = valuesOf(fields, 'message-id');
  if (key === null && messageId === '') return { keyOf: () => ({}) };
  const body = await hashOf(bytes.subarray(start));
  if (key !== null) {
    const shown = ['from', 'subject'].map((name) => valuesOf(fields, name));
    const addresses = recipients.map(({ normalised }) => normalised).sort();
    return { idempotencyKey: { key, fingerprint: textHash(['smtp', ...shown, addresses, body]) }, keyOf: () => ({}) };
  }
  const keyOf = ({ normalised }: EnvelopeRecipient) => {
    const fingerprint = textHash([messageId, normalised, body]);
    // No key of a client has a space.
    return { idempotencyKey: { key: `Message-ID ${fingerprint}`, fingerprint } };
  };
  return { keyOf };
}

const textHash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

async function hashOf(bytes: Buffer): Promise<string> {
  if (bytes.length <= HASHED_AT_ONCE) return createHash('sha256').update(bytes).digest('base64url');
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('base64url');
}

/** Null if the mail has to be sent as it is. Decodes the attachments into the memory of the mail. */
async function plainRequest(
  root: Part,
  bytes: Buffer,
  unsubscribeUrl: string | null,
  { brand, maxAttachmentsMb }: MailRules,
): Promise<Content | null> {
  const { fields } = root;
  const content = await plainContentOf(root, bytes);
  const visible = visibleRecipientsOf(fields);
  const replyTo = replyToOf(fields);
  const subject = decodeWords(valuesOf(fields, 'subject')[0] ?? '');
  if (!content || !visible || replyTo === undefined || subject === null) return null;
  const { html, text, files } = content;
  const isLinked = unsubscribeUrl !== null || PLACEHOLDER.test(`${html ?? ''}${text ?? ''}`);
  const headers = customHeadersOf(
    fields,
    (name) =>
      isServiceHeader(name, brand) ||
      (LIST_UNSUBSCRIBE.test(name) ? isLinked : isSetByService(name) || name === 'resent-bcc'),
  );
  const fits =
    [html, text].every((body) => (body?.length ?? 0) <= MAX_BODY_PART) &&
    subject.length <= MAX_SUBJECT_LENGTH &&
    isSingleLine(subject) &&
    [...visible.to, ...visible.cc].every(({ email }) => hasAsciiLocalPart(email)) &&
    attachmentFaults(files.map((file) => ({ ...entryOf(file), content: '' }))).length === 0;
  if (!headers || !fits || (html !== null && (await isNestedTooDeep(html)))) return null;
  for (const { leaf, encoding } of files)
    if (encoding === 'base64' && !(await isWholeBase64(bytes.subarray(leaf.start, leaf.end)))) return null;
  return {
    visible,
    replyTo,
    subject,
    html,
    text: text ?? (html === null ? '' : null),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(files.length > 0 && { attachments: await decodeFiles(files, bytes, maxAttachmentsMb) }),
  };
}

/** Null without Reply-To, undefined if it cannot be composed again. */
function replyToOf(fields: readonly HeaderField[]): string | null | undefined {
  const [value] = valuesOf(fields, 'reply-to');
  if (value === undefined) return null;
  const [address, ...others] = readAddresses(value) ?? [];
  return address && others.length === 0 && hasAsciiLocalPart(address.email) ? address.email : undefined;
}

const entryOf = ({ filename, contentType, contentId }: PlainFile) => ({ filename, contentType, contentId });

async function decodeFiles(
  files: readonly PlainFile[],
  mail: Buffer,
  maxMb: number,
): Promise<NonNullable<MailRequest['attachments']>> {
  const decoded = [];
  for (const file of files) {
    const { leaf, encoding } = file;
    decoded.push({ ...entryOf(file), content: await decodeInPlace(mail.subarray(leaf.start, leaf.end), encoding) });
  }
  const bytes = decoded.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > maxMb * BYTES_PER_MB) throw new Refusal(552, `attachments are larger than ${maxMb} MB together`);
  return decoded;
}

/** Whether To shows the recipient alone, as it does without any visible recipients. */
const isOnlyOf = ({ role, normalised }: EnvelopeRecipient, { to, cc }: VisibleRecipients): boolean =>
  role === 'to' &&
  cc.length === 0 &&
  to.length === 1 &&
  to.every(({ email, name }) => name === '' && normaliseEmail(email) === normalised);
