export const MAX_SUBJECT_LENGTH = 998;
/** Characters of html and of text, as saved. */
export const MAX_BODY_LENGTH = 500_000;
/** Including spaces: mustache's scanner takes quadratic time for a run of spaces in a tag. */
export const MAX_TAG_LENGTH = 1_000;
/** The time to parse grows with the number of tags. */
export const MAX_TAGS = 10_000;
export const MAX_NAME_LENGTH = 100;
export const MAX_NAMES = 500;
export const MAX_SECTION_DEPTH = 10;
/** Characters of one rendered part. */
export const MAX_RENDERED_LENGTH = 1_000_000;
/** Tags, section repetitions and look-ups per rendered part. */
export const MAX_RENDER_STEPS = 500_000;

/** Versions of a template that are kept, including the newest. */
export const MAX_VERSIONS = 100;

/** Of the sample values as JSON: they are read with every look-up of the template. */
export const MAX_SAMPLE_LENGTH = 20_000;
