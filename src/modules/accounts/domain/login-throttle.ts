/** Guesses that an address is allowed in one window, which begins with the first of them. */
export const MAX_FAILED_LOGINS = 10;
export const LOGIN_WINDOW_MS = 15 * 60_000;
