/** Matching is repeated after half the time that an event has been kept, within these bounds. */
export const MIN_MATCH_DELAY_SECONDS = 5;
export const MAX_MATCH_DELAY_HOURS = 1;
/** The provider's id of a message is known by then. */
export const OVERDUE_AFTER_MINUTES = 1;
