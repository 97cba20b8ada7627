import type { ContactFields } from '../index.js';

/** A row of a CSV file: values by the name of their column, in lower case and without spaces, `_` and `-`. */
export type Row = Record<string, string | undefined>;

/** What a row means; `skip` says why it is not imported, `error` why it cannot be. */
export type Reading = { contact: ContactFields } | { skip: string } | { error: string };

type Preset = (row: Row) => Reading;

const list = (text: string | undefined): string[] | undefined => {
  const values = text?.split(/[;,]/).map((value) => value.trim());
  return values?.filter((value) => value !== '');
};

const withEmail = (email: string | undefined, fields: Omit<ContactFields, 'email'> = {}): Reading =>
  email === undefined || email === '' ? { error: 'There is no address' } : { contact: { ...present(fields), email } };

/** Without empty values: an absent field is kept, an empty one would be cleared. */
const present = (fields: Omit<ContactFields, 'email'>): Omit<ContactFields, 'email'> =>
  Object.fromEntries(Object.entries<unknown>(fields).filter(([, value]) => value !== undefined && value !== ''));

const UNSUBSCRIBED = { status: 'unsubscribed' } as const;
const isFalse = (value: string | undefined): boolean => /^(?:false|no|0|unsubscribed)$/i.test(value ?? '');

/** Exports of SendGrid: contacts (EMAIL, FIRST_NAME, …), and each of the suppression lists (email, created, …). */
const sendgrid: Preset = ({ email, firstname, lastname, contactid }) =>
  firstname === undefined && contactid === undefined
    ? withEmail(email, UNSUBSCRIBED)
    : withEmail(email, { firstName: firstname, lastName: lastname });

/** The suppression lists of Mailgun: bounces (address, code, error), unsubscribes (address, tags), complaints. */
const mailgun: Preset = ({ address, code }) =>
  // A temporary failure is no reason.
  code?.startsWith('4') ? { skip: `The error ${code} is temporary` } : withEmail(address, UNSUBSCRIBED);

/** The suppressions of a message stream: EmailAddress, SuppressionReason, Origin, CreatedAt. */
const postmark: Preset = ({ emailaddress, email }) => withEmail(emailaddress ?? email, UNSUBSCRIBED);

/** Contacts with `subscribed`. */
const subscribers: Preset = ({ email, firstname, lastname, subscribed, company }) =>
  withEmail(email, {
    firstName: firstname,
    lastName: lastname,
    company,
    ...(isFalse(subscribed) && UNSUBSCRIBED),
  });

/** Subscribers: uuid, email, name, attributes, status, created_at, updated_at. */
const listmonk: Preset = ({ email, name, status }) => {
  if (status === 'disabled') return { skip: 'The subscriber is disabled' };
  const [firstName, ...others] = (name ?? '').trim().split(/\s+/);
  const names = { firstName, lastName: others.join(' ') };
  return withEmail(email, { ...names, ...(status === 'blocklisted' && UNSUBSCRIBED) });
};

/** The columns of the service's own export: email, firstName, lastName, company, tags, status. */
const plain: Preset = ({ email, firstname, lastname, company, tags, status = '' }) => {
  const fields = { firstName: firstname, lastName: lastname, company, tags: list(tags) };
  if (status === '' || status === 'active') return withEmail(email, fields);
  if (/^(?:unsubscribed|bounced|complained)$/.test(status)) return withEmail(email, { ...fields, ...UNSUBSCRIBED });
  return { error: `${status} is not a status` };
};

/** By name, each with the columns of which the header must have at least one. */
export const PRESETS: Record<string, { read: Preset; addressColumns: string[] }> = {
  plain: { read: plain, addressColumns: ['email'] },
  sendgrid: { read: sendgrid, addressColumns: ['email'] },
  mailgun: { read: mailgun, addressColumns: ['address'] },
  postmark: { read: postmark, addressColumns: ['emailaddress', 'email'] },
  usesend: { read: subscribers, addressColumns: ['email'] },
  plunk: { read: subscribers, addressColumns: ['email'] },
  listmonk: { read: listmonk, addressColumns: ['email'] },
};

/** `First Name`, `FIRST_NAME` and `firstName` are the same column. */
export const columnName = (header: string): string => header.toLowerCase().replace(/[\s_-]/g, '');
