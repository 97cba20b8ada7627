import { addressHeadersOf, withRoles } from '../../../mail/reading/addresses.js';
import { MimeReader } from '../../../mail/reading/mime-parts.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import { Refusal } from '../../../mail/reading/refusal.js';
import {
  checkedServiceHeaders,
  fromOf,
  requireDeliverableFiles,
  requireSingleHeaders,
  withoutRepeats,
} from './check-mail.js';
import { idempotencyOf } from './mail-idempotency.js';
import type { MailRequest, MailRules } from './mail-request.js';
import { plainRequest } from './plain-request.js';
import { sourceRequest } from './source-request.js';

/**
 * The request that the mail stands for. One of a plain shape becomes the fields of a send; any other, and one that
 * exceeds what these can hold, is to be sent as it is. Uses the memory of the mail: its bytes are changed. Throws a
 * Refusal.
 */
export function readMail(mail: ReceivedMail, recipients: readonly string[], rules: MailRules): MailRequest {
  const { bytes } = mail;
  const reader = new MimeReader(bytes);
  const given = reader.read();
  const root = { ...given, fields: withoutRepeats(given.fields) };
  const { fields } = root;
  requireSingleHeaders(fields);
  const headers = addressHeadersOf(fields);
  const from = fromOf(fields, headers);
  requireDeliverableFiles(root);
  const service = checkedServiceHeaders(fields, rules);
  const envelope = withRoles(recipients, headers);
  const addressing = { envelope, headers };
  const { idempotencyKey, keyOf } = idempotencyOf(root, bytes, envelope, service);
  const [to, ...copies] = envelope.map((recipient) => ({ ...recipient, ...keyOf(recipient) }));
  if (!to) throw new Refusal(554, 'No recipients');
  const { unsubscribeUrl, scheduledAt, topicId, tags, metadata } = service;
  const plain = reader.isUnfinished ? null : plainRequest(root, bytes, unsubscribeUrl, addressing, rules);
  const { visible, source, ...content } = plain ?? sourceRequest(mail, root, service, addressing, rules);
  return {
    to: to.email,
    fromEmail: from.email,
    fromName: from.name || null,
    ...(tags.length > 0 && { tags }),
    ...(metadata !== null && { metadata: metadata as Record<string, string> }),
    unsubscribeUrl,
    scheduledAt,
    topicId,
    idempotencyKey: idempotencyKey ?? to.idempotencyKey,
    ...content,
    submitted: { role: to.role, copies, visible, source },
  };
}
