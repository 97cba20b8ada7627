import { type AttributeChanges, type Attributes, mergeAttributes, sizeFault } from '../../../shared/attributes.js';
import { groupBy } from '../../../shared/collections.js';
import { normaliseEmail } from '../../../shared/email-address.js';

export const CONTACT_STATUSES = ['active', 'unsubscribed', 'bounced', 'complained'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** The statuses that a request may set. The others follow from bounces and complaints. */
export const WRITABLE_STATUSES = ['active', 'unsubscribed'] as const;
export type WritableStatus = (typeof WRITABLE_STATUSES)[number];

/** The status of a contact whose address is suppressed for this reason; `active` if it is not suppressed. */
export function statusForReason(reason: string | undefined): ContactStatus {
  if (reason === undefined) return 'active';
  return reason === 'bounced' || reason === 'complained' ? reason : 'unsubscribed';
}

/** Changes to a contact. Absent fields are kept, null clears, `tags` and `listIds` replace. */
export interface ContactFields {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  company?: string | null | undefined;
  attributes?: AttributeChanges | null | undefined;
  tags?: readonly string[] | null | undefined;
  /** Null means `active`. */
  status?: WritableStatus | null | undefined;
  listIds?: readonly string[] | null | undefined;
  /** A list to add the contact to, in addition to `listIds`. */
  addToList?: string | undefined;
}

export interface ContactRow extends ContactFields {
  email: string;
  /** Set in imports only: the evidence of the person's consents. */
  consents?: readonly ImportedConsent[] | undefined;
}

export interface ImportedConsent {
  occurredAt: Date;
  wording: string | null;
  ip: string | null;
  evidence: string | null;
}

/** The rows by normalised address: the last of several with the same one, with the consents of all of them. */
export const lastPerAddress = <T extends { row: ContactRow }>(rows: readonly T[]): Map<string, T> =>
  new Map([...groupBy(rows, ({ row }) => normaliseEmail(row.email))].map(([email, same]) => [email, lastOf(same)]));

function lastOf<T extends { row: ContactRow }>(same: readonly T[]): T {
  const last = same.reduce((_, later) => later);
  if (same.length === 1) return last;
  const consents = same.flatMap(({ row }) => row.consents ?? []);
  return consents.length === 0 ? last : { ...last, row: { ...last.row, consents } };
}

/**
 * Whether a write sets the contact active, which is refused while its address is suppressed: it lifts no suppression.
 */
export const asksForActive = ({ status }: ContactFields): boolean => status === 'active' || status === null;

/** The error message of such a write. */
export const activeWhileSuppressed = (email: string): string =>
  `status cannot be set to active: ${email} is suppressed`;

/** A person an account sends mail to. */
export class Contact {
  id!: string;
  accountId!: string;
  /** The address in its latest spelling. */
  email!: string;
  /** Identifies the contact. */
  normalisedEmail!: string;
  firstName!: string | null;
  lastName!: string | null;
  company!: string | null;
  /** Null if there are none. */
  attributes!: Attributes | null;
  /** Sorted, without duplicates. */
  tags!: string[];
  /** `active` if and only if the address is not suppressed. */
  status!: ContactStatus;
  /** Sorted, without duplicates. */
  listIds!: string[];
  createdAt!: Date;
  updatedAt!: Date;

  /** `status` follows from the suppression of the address. */
  static create(id: string, accountId: string, row: ContactRow, status: ContactStatus, now: Date): Contact {
    const contact = new Contact();
    contact.id = id;
    contact.accountId = accountId;
    contact.email = row.email.trim();
    contact.normalisedEmail = normaliseEmail(row.email);
    contact.firstName = contact.lastName = contact.company = null;
    contact.attributes = null;
    contact.tags = contact.listIds = [];
    contact.status = status;
    contact.createdAt = contact.updatedAt = now;
    contact.change(row, now);
    return contact;
  }

  /** Why the contact cannot have these fields in addition to its own; null if it can. */
  faultOf({ attributes }: ContactFields): string | null {
    return attributes ? sizeFault(mergeAttributes(this.attributes, attributes)) : null;
  }

  /**
   * Returns whether anything changed, and then sets `updatedAt`. An active contact can become `unsubscribed`; no
   * contact can become `active`, because changing a contact does not lift a suppression.
   */
  change(fields: ContactFields & { email?: string }, now: Date): boolean {
    const email = fields.email?.trim() ?? this.email;
    const firstName = textOr(fields.firstName, this.firstName);
    const lastName = textOr(fields.lastName, this.lastName);
    const company = textOr(fields.company, this.company);
    const attributes = mergeAttributes(this.attributes, fields.attributes);
    const tags = setOr(fields.tags, this.tags);
    const listIds = withList(setOr(fields.listIds, this.listIds), fields.addToList);
    const status = this.status === 'active' ? (fields.status ?? 'active') : this.status;
    const isSame =
      email === this.email &&
      firstName === this.firstName &&
      lastName === this.lastName &&
      company === this.company &&
      attributes === this.attributes &&
      status === this.status &&
      isSameSet(tags, this.tags) &&
      isSameSet(listIds, this.listIds);
    if (isSame) return false;
    // Object.assign would take longer than all else here.
    this.email = email;
    this.firstName = firstName;
    this.lastName = lastName;
    this.company = company;
    this.attributes = attributes;
    this.tags = tags;
    this.status = status;
    this.listIds = listIds;
    this.updatedAt = now;
    return true;
  }
}

/** Blank text is stored as null. */
const textOr = (given: string | null | undefined, kept: string | null): string | null =>
  given === undefined ? kept : given?.trim() || null;

const setOr = (given: readonly string[] | null | undefined, kept: string[]): string[] =>
  given === undefined ? kept : toSet(given ?? []);

/** Sorts the items and removes duplicates; fast if there is nothing to do. */
export const toSet = (items: readonly string[]): string[] =>
  items.every((item, i) => i === 0 || (items[i - 1] ?? '') < item) ? [...items] : [...new Set(items)].sort();

const withList = (ids: string[], added: string | undefined): string[] =>
  added === undefined || ids.includes(added) ? ids : [...ids, added].sort();

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((item, i) => item === b[i]));
