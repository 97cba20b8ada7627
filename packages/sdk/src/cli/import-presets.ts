import type { ImportedContact } from '../index.js';

/** A row of a CSV file: values by `columnName`. */
type Row = Record<string, string | undefined>;

/**
 * The contact of a row, or why it is not imported: `skip` is a reason, `error` a fault. `ignored` are parts of a cell
 * that no field can hold.
 */
export type Reading = { contact: ImportedContact; ignored?: string[] } | { skip: string } | { error: string };

type Read = (row: Row) => Reading;

const list = (text: string | undefined): string[] | undefined => {
  const values = text?.split(/[;,]/).map((value) => value.trim());
  return values?.filter((value) => value !== '');
};

const withEmail = (email: string | undefined, fields: Omit<ImportedContact, 'email'> = {}): Reading =>
  email === undefined || email === '' ? { error: 'There is no address' } : { contact: { ...present(fields), email } };

/** Removes empty values: an absent field is kept, an empty one would be cleared. */
const present = (fields: Omit<ImportedContact, 'email'>): Omit<ImportedContact, 'email'> =>
  Object.fromEntries(Object.entries<unknown>(fields).filter(([, value]) => value !== undefined && value !== ''));

const ATTRIBUTE = /^attributes\.[A-Za-z0-9_]{1,40}$/;
type Attributes = NonNullable<ImportedContact['attributes']>;

/** Reads columns such as `attributes.city`. A cell that is a number or a boolean in JSON becomes one. */
function attributesOf(row: Row): Attributes | undefined {
  const cells = Object.entries(row).filter(([name, cell]) => ATTRIBUTE.test(name) && cell !== undefined && cell !== '');
  if (cells.length === 0) return undefined;
  return Object.fromEntries(cells.map(([name, cell = '']) => [name.slice('attributes.'.length), valueOf(cell)]));
}

function valueOf(cell: string): string | number | boolean {
  if (cell === 'true' || cell === 'false') return cell === 'true';
  const number = Number(cell);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact && String(number) === cell ? number : cell;
}

/** Reads attributes in JSON; ignores other names, lists and objects. Null unless the text is empty or an object. */
function readJson(cell: string | undefined): { attributes?: Attributes; ignored: string[] } | null {
  if (cell === undefined || cell === '') return { ignored: [] };
  const value = parseJson(cell);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value as Record<string, unknown>).filter(([, inner]) => inner !== null);
  const isKept = ([key, inner]: [string, unknown]) => ATTRIBUTE.test(`attributes.${key}`) && typeof inner !== 'object';
  const kept = entries.filter(isKept);
  const ignored = entries.filter((entry) => !isKept(entry)).map(([key]) => `attributes.${key}`);
  return kept.length === 0 ? { ignored } : { attributes: Object.fromEntries(kept) as Attributes, ignored };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const UNSUBSCRIBED = { status: 'unsubscribed' } as const;

/** An empty or unknown value of a column is an error, so that nobody who has opted out becomes active. */
function withStatus(value: string | undefined, meanings: Meanings, read: (fields: Opting) => Reading): Reading {
  if (value === undefined) return read({});
  const { active, unsubscribed } = meanings;
  if (active.test(value)) return read({});
  return unsubscribed.test(value) ? read(UNSUBSCRIBED) : { error: `"${value}" is not a status` };
}

type Opting = Pick<ImportedContact, 'status'>;

interface Meanings {
  active: RegExp;
  unsubscribed: RegExp;
}

/**
 * Reads attributes in JSON. Those of somebody who is unsubscribed are left out: whatever they are, the service must not
 * refuse the row.
 */
function withJson(
  { status }: Opting,
  { name, cell }: { name: string; cell: string | undefined },
  read: (fields: Pick<ImportedContact, 'attributes'>) => Reading,
): Reading {
  if (status === 'unsubscribed') return read({});
  const json = readJson(cell);
  return json === null
    ? { error: `${name} is not a JSON object` }
    : { ...read({ attributes: json.attributes }), ignored: json.ignored };
}

/** Removes the apostrophe that an export puts before text that a spreadsheet would take for a formula. */
const unescapeFormula = (cell: string | undefined): string | undefined =>
  cell?.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '');

/**
 * Reads the time, source and wording of a consent from the columns of this service, or from those in which other
 * services keep a double opt-in. The creation time of a contact proves nothing.
 */
const consentOf = (row: Row): Omit<ImportedContact, 'email'> => ({
  consentAt: row.consentat || row.confirmtime || row.optintime,
  consentIp: row.consentip || row.confirmip || row.optinip,
  consentWording: row.consentwording,
  consentEvidence: row.consentevidence,
});

const CONSENT_COLUMNS = [
  ...['consentat', 'confirmtime', 'optintime'],
  ...['consentip', 'confirmip', 'optinip'],
  ...['consentwording', 'consentevidence'],
];

/** Exports of SendGrid: contacts (EMAIL, FIRST_NAME, …), and each of the suppression lists (email, created, …). */
const sendgrid: Read = ({ email, firstname, lastname, contactid, ...row }) =>
  firstname === undefined && contactid === undefined
    ? withEmail(email, UNSUBSCRIBED)
    : withEmail(email, { firstName: firstname, lastName: lastname, ...consentOf(row) });

/** Audiences of Mailchimp: Email Address, First Name, OPTIN_TIME, …; opted-out ones have UNSUB_TIME or CLEAN_TIME. */
const mailchimp: Read = ({ emailaddress, firstname, lastname, unsubtime, cleantime, tags, ...row }) =>
  withEmail(emailaddress, {
    ...{ firstName: firstname, lastName: lastname, tags: list(tags?.replaceAll('"', '')), ...consentOf(row) },
    ...(unsubtime || cleantime ? UNSUBSCRIBED : {}),
  });

/** The suppression lists of Mailgun: bounces (address, code, error), unsubscribes (address, tags), complaints. */
const mailgun: Read = ({ address, code }) =>
  // A temporary failure is no reason.
  code?.startsWith('4') ? { skip: `The error ${code} is temporary` } : withEmail(address, UNSUBSCRIBED);

/** Suppressions of a Postmark message stream: EmailAddress, SuppressionReason, Origin, CreatedAt. */
const postmark: Read = ({ emailaddress, email }) => withEmail(emailaddress ?? email, UNSUBSCRIBED);

const SUBSCRIBED = { active: /^(?:true|yes|1|subscribed)$/i, unsubscribed: /^(?:false|no|0|unsubscribed)$/i };

/** Contacts with a column `subscribed`. */
const subscribers: Read = ({ email, firstname, lastname, subscribed, company, ...row }) =>
  withStatus(subscribed, SUBSCRIBED, (opting) =>
    withEmail(email, { firstName: firstname, lastName: lastname, company, ...consentOf(row), ...opting }),
  );

const LISTMONK_STATUS = { active: /^enabled$/i, unsubscribed: /^blocklisted$/i };

/** Subscribers of listmonk: uuid, email, name, attributes, status, created_at, updated_at. */
const listmonk: Read = ({ email, name, status, attributes: json, ...row }) => {
  if (status?.toLowerCase() === 'disabled') return { skip: 'The subscriber is disabled' };
  const [firstName, ...others] = (name ?? '').trim().split(/\s+/);
  const fields = { firstName, lastName: others.join(' '), ...consentOf(row) };
  return withStatus(status, LISTMONK_STATUS, (opting) =>
    withJson(opting, { name: 'attributes', cell: json }, (attributes) =>
      withEmail(email, { ...fields, ...attributes, ...opting }),
    ),
  );
};

const KEILA_STATUS = { active: /^active$/i, unsubscribed: /^(?:unsubscribed|unreachable)$/i };

/** Contacts of Keila: Email, First name, Last name, Data, Status. */
const keila: Read = ({ email, firstname, lastname, data, status, ...row }) => {
  const fields = { firstName: firstname, lastName: lastname, ...consentOf(row) };
  return withStatus(status, KEILA_STATUS, (opting) =>
    withJson(opting, { name: 'Data', cell: data }, (attributes) =>
      withEmail(email, { ...fields, ...attributes, ...opting }),
    ),
  );
};

const OWN_STATUS = { active: /^active$/i, unsubscribed: /^(?:unsubscribed|bounced|complained)$/i };

/** The columns of the service's own exports: email, firstName, …, status, attributes.city, …; and those of consents. */
const plain: Read = (row) => {
  const cells: Row = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, unescapeFormula(cell)]));
  const { email, firstname, lastname, company, tags } = cells;
  const names = { firstName: firstname, lastName: lastname, company };
  const fields = { ...names, tags: list(tags), attributes: attributesOf(cells), ...consentOf(cells) };
  return withStatus(row.status, OWN_STATUS, (opting) => withEmail(email, { ...fields, ...opting }));
};

export interface Preset {
  read: Read;
  /** The columns that the preset reads. */
  columns: string[];
  /** Sets of columns; the header must have all columns of at least one. */
  layouts: string[][];
}

const SUBSCRIBER_COLUMNS = ['email', 'firstname', 'lastname', 'subscribed', 'company', ...CONSENT_COLUMNS];

export const PRESETS: Record<string, Preset> = {
  plain: {
    read: plain,
    columns: ['email', 'firstname', 'lastname', 'company', 'tags', 'status', ...CONSENT_COLUMNS],
    layouts: [['email']],
  },
  // The layouts distinguish contacts from suppressions: a wrong suppression cannot be lifted with a key.
  sendgrid: {
    read: sendgrid,
    columns: ['email', 'firstname', 'lastname', ...CONSENT_COLUMNS],
    layouts: [
      ['email', 'firstname'],
      ['email', 'contactid'],
      ['email', 'created'],
    ],
  },
  mailchimp: {
    read: mailchimp,
    columns: ['emailaddress', 'firstname', 'lastname', 'tags', 'unsubtime', 'cleantime', ...CONSENT_COLUMNS],
    layouts: [
      ['emailaddress', 'optintime'],
      ['emailaddress', 'confirmtime'],
    ],
  },
  mailgun: { read: mailgun, columns: ['address', 'code'], layouts: [['address']] },
  postmark: { read: postmark, columns: ['emailaddress', 'email'], layouts: [['emailaddress'], ['email']] },
  usesend: { read: subscribers, columns: SUBSCRIBER_COLUMNS, layouts: [['email']] },
  plunk: { read: subscribers, columns: SUBSCRIBER_COLUMNS, layouts: [['email']] },
  listmonk: {
    read: listmonk,
    columns: ['email', 'name', 'status', 'attributes', ...CONSENT_COLUMNS],
    layouts: [['email']],
  },
  keila: {
    read: keila,
    columns: ['email', 'firstname', 'lastname', 'data', 'status', ...CONSENT_COLUMNS],
    layouts: [['email', 'status']],
  },
};

/** Normalises a header: `First Name`, `FIRST_NAME` and `firstName` are the same column. Attribute names are kept. */
export const columnName = (header: string): string =>
  ATTRIBUTE.test(header) ? header : header.toLowerCase().replace(/[\s_-]/g, '');

/** The columns of a header that the preset does not read. */
export const ignoredColumns = ({ read, columns }: Preset, header: readonly string[]): string[] =>
  header.filter((name) => !columns.includes(columnName(name)) && !(read === plain && ATTRIBUTE.test(name)));
