import type { ContactFields } from '../index.js';

/** A row of a CSV file: values by the name of their column, in lower case and without spaces, `_` and `-`. */
type Row = Record<string, string | undefined>;

/** What a row means; `skip` says why it is not imported, `error` why it cannot be. */
export type Reading = { contact: ContactFields } | { skip: string } | { error: string };

type Read = (row: Row) => Reading;

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

/** An empty or unknown value of a column is an error, so that nobody who has opted out becomes active. */
function withStatus(value: string | undefined, meanings: Meanings, read: (fields: Opting) => Reading): Reading {
  if (value === undefined) return read({});
  const { active, unsubscribed } = meanings;
  if (active.test(value)) return read({});
  return unsubscribed.test(value) ? read(UNSUBSCRIBED) : { error: `"${value}" is not a status` };
}

type Opting = Pick<ContactFields, 'status'>;

interface Meanings {
  active: RegExp;
  unsubscribed: RegExp;
}

/** Removes the apostrophe that an export puts before text that a spreadsheet would take for a formula. */
const unescapeFormula = (cell: string | undefined): string | undefined =>
  cell?.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '');

/** Exports of SendGrid: contacts (EMAIL, FIRST_NAME, …), and each of the suppression lists (email, created, …). */
const sendgrid: Read = ({ email, firstname, lastname, contactid }) =>
  firstname === undefined && contactid === undefined
    ? withEmail(email, UNSUBSCRIBED)
    : withEmail(email, { firstName: firstname, lastName: lastname });

/** The suppression lists of Mailgun: bounces (address, code, error), unsubscribes (address, tags), complaints. */
const mailgun: Read = ({ address, code }) =>
  // A temporary failure is no reason.
  code?.startsWith('4') ? { skip: `The error ${code} is temporary` } : withEmail(address, UNSUBSCRIBED);

/** The suppressions of a message stream: EmailAddress, SuppressionReason, Origin, CreatedAt. */
const postmark: Read = ({ emailaddress, email }) => withEmail(emailaddress ?? email, UNSUBSCRIBED);

const SUBSCRIBED = { active: /^(?:true|yes|1|subscribed)$/i, unsubscribed: /^(?:false|no|0|unsubscribed)$/i };

/** Contacts with `subscribed`. */
const subscribers: Read = ({ email, firstname, lastname, subscribed, company }) =>
  withStatus(subscribed, SUBSCRIBED, (opting) =>
    withEmail(email, { firstName: firstname, lastName: lastname, company, ...opting }),
  );

const LISTMONK_STATUS = { active: /^enabled$/i, unsubscribed: /^blocklisted$/i };

/** Subscribers: uuid, email, name, attributes, status, created_at, updated_at. */
const listmonk: Read = ({ email, name, status }) => {
  if (status?.toLowerCase() === 'disabled') return { skip: 'The subscriber is disabled' };
  const [firstName, ...others] = (name ?? '').trim().split(/\s+/);
  const names = { firstName, lastName: others.join(' ') };
  return withStatus(status, LISTMONK_STATUS, (opting) => withEmail(email, { ...names, ...opting }));
};

const OWN_STATUS = { active: /^active$/i, unsubscribed: /^(?:unsubscribed|bounced|complained)$/i };

/** The columns of the service's own export: email, firstName, lastName, company, tags, status. */
const plain: Read = (row) => {
  const { email, firstname, lastname, company, tags } = Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, unescapeFormula(cell)]),
  );
  const fields = { firstName: firstname, lastName: lastname, company, tags: list(tags) };
  return withStatus(row.status, OWN_STATUS, (opting) => withEmail(email, { ...fields, ...opting }));
};

export interface Preset {
  read: Read;
  /** The header must have all columns of one of them. */
  layouts: string[][];
}

export const PRESETS: Record<string, Preset> = {
  plain: { read: plain, layouts: [['email']] },
  // A file of contacts that is taken for suppressions cannot be undone with a key.
  sendgrid: {
    read: sendgrid,
    layouts: [
      ['email', 'firstname'],
      ['email', 'contactid'],
      ['email', 'created'],
    ],
  },
  mailgun: { read: mailgun, layouts: [['address']] },
  postmark: { read: postmark, layouts: [['emailaddress'], ['email']] },
  usesend: { read: subscribers, layouts: [['email']] },
  plunk: { read: subscribers, layouts: [['email']] },
  listmonk: { read: listmonk, layouts: [['email']] },
};

/** `First Name`, `FIRST_NAME` and `firstName` are the same column. */
export const columnName = (header: string): string => header.toLowerCase().replace(/[\s_-]/g, '');
