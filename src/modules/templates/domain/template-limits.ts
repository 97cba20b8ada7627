export const MAX_SUBJECT_LENGTH = 998;
/** Characters of html and of text, as saved. */
export const MAX_BODY_LENGTH = 500_000;
/** Blanks included: mustache's scanner takes time that grows with the square of a run of blanks in a tag. */
export const MAX_TAG_LENGTH = 1_000;
/** Parsing takes time with each of them. */
export const MAX_TAGS = 10_000;
export const MAX_NAME_LENGTH = 100;
export const MAX_NAMES = 500;
export const MAX_SECTION_DEPTH = 10;
/** Characters of one part with its variables filled in. */
export const MAX_RENDERED_LENGTH = 1_000_000;
/** Tags, repetitions of sections and look-ups that filling in one part may take. */
export const MAX_RENDER_STEPS = 500_000;
