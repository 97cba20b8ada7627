/** The daily cap of an account without one: no day has as many messages. The largest integer of PostgreSQL. */
export const NO_DAILY_CAP = 2_147_483_647;
