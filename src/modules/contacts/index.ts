export { ImportedConsents } from './application/imported-consents.service.js';
export { ListDirectory, noSuchList } from './application/list-directory.service.js';
export {
  type AudienceContact,
  type AudienceCount,
  type AudienceRules,
  type AudienceSelection,
  ContactAudience,
} from './application/ports/contact-audience.js';
export { ContactRepository } from './application/ports/contact.repository.js';
export { type PreviewedContact, WriteContacts } from './application/write-contacts.service.js';
export { activeWhileSuppressed, type ContactRow, lastPerAddress } from './domain/contact.js';
export { readContactRow } from './domain/read-contact-row.js';
