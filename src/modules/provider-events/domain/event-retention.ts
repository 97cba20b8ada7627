/** How long unmatched events are kept: their message may still become known. */
export const UNMATCHED_KEPT_DAYS = 1;
/** Longer, because an operator has to notice and examine events of unknown type. */
export const UNKNOWN_KEPT_DAYS = 30;

/** Matching is repeated after half the time that an event has been kept, within these bounds. */
export const MIN_MATCH_DELAY_SECONDS = 5;
export const MAX_MATCH_DELAY_HOURS = 1;
/** The provider's id of a message is known by then. */
export const OVERDUE_AFTER_MINUTES = 1;

/** Longer than any provider repeats a post. */
export const SEEN_REPORTS_KEPT_DAYS = 7;
