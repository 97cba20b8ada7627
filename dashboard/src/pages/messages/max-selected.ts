/** As many messages as one request cancels. */
export const MAX_SELECTED = 1_000;
