/**
 * The daily cap of an account without one. No day has as many messages, and the sum with what an account and a key have
 * used fits in an integer of PostgreSQL.
 */
export const NO_DAILY_CAP = 1_000_000_000;
