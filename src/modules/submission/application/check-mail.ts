import { MAX_SENDER_NAME_LENGTH } from '../../../config/limits.js';
import { isEmailAddress } from '../../../shared/email-address.js';
import { isId } from '../../../shared/ids.js';
import { isRecord } from '../../../shared/is-record.js';
import {
  isIdempotencyKey,
  metadataFaults,
  namesPath,
  refusedType,
  tagFaults,
  unsubscribeUrlFault,
} from '../../sending/content.js';
import { type AddressHeaders, readableName } from '../../../mail/reading/addresses.js';
import { type HeaderField, valuesOf } from '../../../mail/reading/header-fields.js';
import { leavesOf, type Part } from '../../../mail/reading/mime-parts.js';
import { filenamesOf } from '../../../mail/reading/plain-content.js';
import { Refusal } from '../../../mail/reading/refusal.js';
import { readServiceHeaders, type ServiceHeaders } from '../domain/service-headers.js';
import type { MailRules } from './mail-request.js';

const SINGLE_HEADERS = ['to', 'cc', 'subject', 'date', 'mime-version', 'content-type', 'content-transfer-encoding'];
/** Several Reply-To are sent as they came. */
const REPEATED_HEADERS = [...SINGLE_HEADERS, 'reply-to'];
const FIRST_COUNTS = ['date', 'mime-version'];

/** Programs add some headers twice. The first Date and MIME-Version count, even if the others differ. */
export function withoutRepeats(fields: readonly HeaderField[]): HeaderField[] {
  const isRepeated = ({ name, value }: HeaderField, earlier: HeaderField): boolean =>
    earlier.name === name && (earlier.value === value || FIRST_COUNTS.includes(name));
  return fields.filter(
    (field, i) =>
      !REPEATED_HEADERS.includes(field.name) || !fields.slice(0, i).some((other) => isRepeated(field, other)),
  );
}

/** Throws a Refusal for a header that is given twice with different values, although it must be single. */
export function requireSingleHeaders(fields: readonly HeaderField[]): void {
  const repeated = SINGLE_HEADERS.find((name) => valuesOf(fields, name).length > 1);
  if (repeated !== undefined) throw new Refusal(554, `The header ${repeated} is given twice`);
}

/** The single address of From. A name that cannot be read or stored is left out. Throws a Refusal. */
export function fromOf(
  fields: readonly HeaderField[],
  { from: [from, ...others] }: AddressHeaders,
): { email: string; name: string } {
  if (valuesOf(fields, 'from').length === 0) throw notVerified('A mail without From');
  if (others.length > 0) throw notVerified('A mail with several From addresses');
  if (!from || !isEmailAddress(from.email)) throw notVerified('A From header without a valid address');
  const name = readableName(from.name);
  return { email: from.email, name: name !== null && name.length <= MAX_SENDER_NAME_LENGTH ? name : '' };
}

const notVerified = (what: string): Refusal => new Refusal(550, `5.7.1 ${what} is not verified for sending`);

/** Throws a Refusal for a file type that providers refuse, in whatever part and whichever of its names. */
export function requireDeliverableFiles(root: Part): void {
  for (const filename of leavesOf(root).flatMap(filenamesOf)) {
    if (filename === null) throw new Refusal(554, 'An attachment has a name that cannot be decoded');
    if (namesPath(filename)) throw new Refusal(554, 'An attachment has a name with / or \\');
    const refused = refusedType(filename);
    if (refused !== undefined) throw new Refusal(554, `An attachment has a type that providers refuse: ${refused}`);
  }
}

/** Throws a Refusal that lists all faults. */
export function checkedServiceHeaders(
  fields: readonly HeaderField[],
  { brand, allowsHttp }: MailRules,
): ServiceHeaders {
  const headers = readServiceHeaders(fields, brand);
  const { tags, metadata, topicId, unsubscribeUrl, idempotencyKey } = headers;
  const faults = [
    ...tagFaults(tags),
    ...(metadata === null ? [] : metadataFaults(metadata)),
    ...(metadata === null || isRecord(metadata) ? [] : ['metadata must be a JSON object']),
    ...(topicId === null || isId(topicId) ? [] : ['topicId must be the id of a topic']),
    ...(unsubscribeUrl === null ? [] : [unsubscribeUrlFault(unsubscribeUrl, allowsHttp) ?? []].flat()),
    ...(idempotencyKey === null || isIdempotencyKey(idempotencyKey)
      ? []
      : ['Idempotency-Key must be 1 to 255 visible ASCII characters']),
  ];
  if (faults.length > 0) throw new Refusal(554, faults.join('; '));
  return headers;
}
