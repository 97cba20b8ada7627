/** The maximum number of messages that one request cancels. */
export const MAX_SELECTED = 1_000;
