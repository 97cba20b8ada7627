/** The limit of failed logins in one window, which starts with the first of them. */
export const MAX_FAILED_LOGINS = 10;
/** The limit of one client for all emails: people behind one router share it. */
export const MAX_FAILED_LOGINS_PER_CLIENT = 200;
export const LOGIN_WINDOW_MS = 15 * 60_000;
