import {
  MAX_ATTACHMENTS,
  MAX_BODY_PART_LENGTH,
  MAX_SENDER_NAME_LENGTH,
  MAX_SUBJECT_LENGTH,
} from '../../../config/limits.js';
import { BYTES_PER_MB } from '../../../shared/bytes.js';
import { hasAsciiLocalPart, normaliseEmail } from '../../../shared/email-address.js';
import type { VisibleRecipients } from '../../../shared/mail-recipients.js';
import { isSingleLine } from '../../../shared/text.js';
import { attachmentFaults, isNestedTooDeep, isSetByService } from '../../sending/content.js';
import {
  type Addressing,
  type EnvelopeRecipient,
  replyToOf,
  visibleRecipientsOf,
} from '../../../mail/reading/addresses.js';
import { isListUnsubscribe, keptHeadersOf } from '../domain/kept-headers.js';
import { decodeWords } from '../../../mail/reading/encoded-words.js';
import { valuesOf } from '../../../mail/reading/header-fields.js';
import type { Part } from '../../../mail/reading/mime-parts.js';
import { decodeInPlace, isWholeBase64 } from '../../../mail/reading/transfer-encodings.js';
import { plainContentOf, type PlainFile, type PlainLimits } from '../../../mail/reading/plain-content.js';
import { Refusal } from '../../../mail/reading/refusal.js';
import { isServiceHeader } from '../domain/service-headers.js';
import { hasPlaceholder } from '../domain/unsubscribe-placeholder.js';
import type { MailContent, MailRequest, MailRules } from './mail-request.js';

const LIMITS: PlainLimits = { files: MAX_ATTACHMENTS, body: MAX_BODY_PART_LENGTH };

/**
 * The fields of a send that the mail stands for; null if they cannot hold it, and it has to be sent as it is. Decodes
 * the attachments into the memory of the mail. Throws a Refusal if they are too large.
 */
export function plainRequest(
  root: Part,
  bytes: Buffer,
  unsubscribeUrl: string | null,
  { envelope, headers: addresses }: Addressing,
  { brand, maxAttachmentsMb }: MailRules,
): MailContent | null {
  const { fields } = root;
  const content = plainContentOf(root, bytes, LIMITS);
  const visible = visibleRecipientsOf(addresses);
  const replyTo = replyToOf(fields, addresses);
  const subject = decodeWords(valuesOf(fields, 'subject')[0] ?? '');
  if (!content || !visible || replyTo === undefined || subject === null) return null;
  const { html, text, files } = content;
  const isLinked = unsubscribeUrl !== null || hasPlaceholder(`${html ?? ''}${text ?? ''}`);
  const headers = keptHeadersOf(
    fields,
    (name) => isServiceHeader(name, brand) || (isListUnsubscribe(name) ? isLinked : isSetByService(name)),
  );
  const fits =
    subject.length <= MAX_SUBJECT_LENGTH &&
    isSingleLine(subject) &&
    (replyTo?.name.length ?? 0) <= MAX_SENDER_NAME_LENGTH &&
    [...visible.to, ...visible.cc].every(({ email }) => hasAsciiLocalPart(email)) &&
    attachmentFaults(files.map((file) => ({ ...entryOf(file), content: '' }))).length === 0;
  if (!headers || !fits || (html !== null && isNestedTooDeep(html))) return null;
  for (const { leaf, encoding } of files)
    if (encoding === 'base64' && !isWholeBase64(bytes.subarray(leaf.start, leaf.end))) return null;
  return {
    visible: shownTo(envelope, replyTo?.name ? { ...visible, replyToName: replyTo.name } : visible),
    source: null,
    replyTo: replyTo?.email ?? null,
    subject,
    html,
    text: text ?? (html === null ? '' : null),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(files.length > 0 && { attachments: decodeFiles(files, bytes, maxAttachmentsMb) }),
  };
}

const entryOf = ({ filename, contentType, contentId }: PlainFile) => ({ filename, contentType, contentId });

function decodeFiles(
  files: readonly PlainFile[],
  mail: Buffer,
  maxMb: number,
): NonNullable<MailRequest['attachments']> {
  const decoded = [];
  for (const file of files) {
    const { leaf, encoding } = file;
    decoded.push({ ...entryOf(file), content: decodeInPlace(mail.subarray(leaf.start, leaf.end), encoding) });
  }
  const bytes = decoded.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > maxMb * BYTES_PER_MB) throw new Refusal(552, `attachments are larger than ${maxMb} MB together`);
  return decoded;
}

/** Null if To shows the single recipient alone, as it does without any visible recipients. */
function shownTo([recipient, ...others]: readonly EnvelopeRecipient[], visible: VisibleRecipients) {
  const [to, ...more] = visible.to;
  const isOnly =
    others.length === 0 &&
    recipient?.role === 'to' &&
    visible.replyToName === undefined &&
    visible.cc.length + more.length === 0 &&
    to?.name === '' &&
    normaliseEmail(to.email) === recipient.normalised;
  return isOnly ? null : visible;
}
