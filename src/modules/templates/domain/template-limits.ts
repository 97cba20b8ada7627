export { MAX_SUBJECT_LENGTH, MAX_TEMPLATE_BODY_LENGTH as MAX_BODY_LENGTH } from '../../../config/limits.js';

/** Including spaces: mustache's scanner takes quadratic time for a run of spaces in a tag. */
export const MAX_TAG_LENGTH = 1_000;
/** The time to parse grows with the number of tags. */
export const MAX_TAGS = 10_000;
export const MAX_NAME_LENGTH = 100;
export const MAX_NAMES = 500;
export const MAX_SECTION_DEPTH = 10;
/** Characters of one rendered part. */
export const MAX_RENDERED_LENGTH = 1_000_000;
/** Tags, section repetitions and look-ups of all parts of a mail together. They take some ten milliseconds. */
export const MAX_RENDER_STEPS = 50_000;

/** Limits the sample values as JSON: they are read with every look-up of the template. */
export const MAX_SAMPLE_LENGTH = 20_000;
