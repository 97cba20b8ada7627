export { ListDirectory, noSuchList } from './application/list-directory.service.js';
export { type AudienceContact, type AudienceSelection, ContactAudience } from './application/ports/contact-audience.js';
export { ContactComparison } from './application/ports/contact-comparison.js';
export { ContactRepository } from './application/ports/contact.repository.js';
export { WriteContacts, type WrittenContact } from './application/write-contacts.service.js';
export type { ContactRow } from './domain/contact.js';
export { readContactRow } from './domain/read-contact-row.js';
