/** In characters, for first name, last name and company. */
export const MAX_NAME_LENGTH = 200;
export const MAX_TAGS = 100;
export const MAX_TAG_LENGTH = 100;
export const MAX_LISTS_OF_CONTACT = 100;
/** Contacts in one request. */
export const MAX_IMPORTED = 5_000;
