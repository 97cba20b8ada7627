/** Characters of a first name, a last name and a company. */
export const MAX_NAME_LENGTH = 200;
export const MAX_TAGS = 100;
export const MAX_TAG_LENGTH = 100;
export const MAX_LISTS_OF_CONTACT = 100;
/** In one request. */
export const MAX_IMPORTED = 5_000;
