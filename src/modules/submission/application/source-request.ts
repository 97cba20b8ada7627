import { isSingleLine } from '../../../shared/text.js';
import { isVendorControl, MAX_SUBJECT_LENGTH } from '../../sending/index.js';
import { type Addressing, readableRecipientsOf, replyToOf, requireDeliverable } from '../domain/addresses.js';
import { isListUnsubscribe } from '../domain/kept-headers.js';
import { decodeWords } from '../domain/mime/encoded-words.js';
import { valuesOf } from '../domain/mime/header-fields.js';
import type { Part } from '../domain/mime/mime-parts.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import { Refusal } from '../domain/refusal.js';
import { isServiceHeader, type ServiceHeaders } from '../domain/service-headers.js';
import { sourceOf } from '../domain/source.js';
import { showsPlaceholder } from '../domain/unsubscribe-placeholder.js';
import type { MailContent, MailRules } from './mail-request.js';

/** A mail that is to be sent as it came. Uses its memory. Throws a Refusal if that is impossible. */
export async function sourceRequest(
  { bytes, longestLineBytes }: ReceivedMail,
  root: Part,
  { unsubscribeUrl, scheduledAt }: ServiceHeaders,
  { envelope, headers }: Addressing,
  { brand }: MailRules,
): Promise<MailContent> {
  const { fields } = root;
  if (await showsPlaceholder(root, bytes))
    throw new Refusal(
      554,
      `{{unsubscribeUrl}} cannot be replaced in this mail, which is not plain text or HTML with attachments; ` +
        `give the link in X-${brand}-Unsubscribe-Url instead`,
    );
  const visible = readableRecipientsOf(headers);
  requireDeliverable(visible, envelope);
  const isRemoved = (name: string): boolean =>
    isServiceHeader(name, brand) ||
    isVendorControl(name) ||
    (unsubscribeUrl !== null && isListUnsubscribe(name)) ||
    (scheduledAt !== null && name === 'date');
  const subject = decodeWords(valuesOf(fields, 'subject')[0] ?? '')?.slice(0, MAX_SUBJECT_LENGTH) ?? '';
  return {
    replyTo: replyToOf(fields, headers)?.email ?? null,
    subject: isSingleLine(subject) ? subject : '',
    text: '',
    visible,
    source: sourceOf(bytes, root, longestLineBytes, isRemoved),
  };
}
