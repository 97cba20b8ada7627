import { MAX_SUBJECT_LENGTH } from '../../../config/limits.js';
import { isVendorControl } from '../../../shared/control-headers.js';
import { isSingleLine } from '../../../shared/text.js';
import {
  type Addressing,
  readableRecipientsOf,
  replyToOf,
  requireDeliverable,
} from '../../../mail/reading/addresses.js';
import { isListUnsubscribe } from '../domain/kept-headers.js';
import { decodeWords } from '../../../mail/reading/encoded-words.js';
import { valuesOf } from '../../../mail/reading/header-fields.js';
import type { Part } from '../../../mail/reading/mime-parts.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import { Refusal } from '../../../mail/reading/refusal.js';
import { isServiceHeader, type ServiceHeaders } from '../domain/service-headers.js';
import { sourceOf } from '../domain/source.js';
import { showsPlaceholder } from '../domain/unsubscribe-placeholder.js';
import type { MailContent, MailRules } from './mail-request.js';

/** A mail that is to be sent as it came. Uses its memory. Throws a Refusal if that is impossible. */
export function sourceRequest(
  { bytes, longestLineBytes }: ReceivedMail,
  root: Part,
  { unsubscribeUrl, scheduledAt }: ServiceHeaders,
  { envelope, headers }: Addressing,
  { brand }: MailRules,
): MailContent {
  const { fields } = root;
  if (showsPlaceholder(root, bytes))
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
  const subject =
    decodeWords(valuesOf(fields, 'subject')[0] ?? '')
      ?.slice(0, MAX_SUBJECT_LENGTH)
      .toWellFormed() ?? '';
  return {
    replyTo: replyToOf(fields, headers)?.email ?? null,
    subject: isSingleLine(subject) ? subject : '',
    text: '',
    visible,
    source: sourceOf(bytes, root, longestLineBytes, isRemoved),
  };
}
