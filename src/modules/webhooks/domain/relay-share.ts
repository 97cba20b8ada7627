/** Deliveries that are written at a time: the wait of an account whose event has come too late for the batch before. */
const BATCH = 1_000;

/** How many events to take of each of so many accounts, where they make so many deliveries each: one at least. */
export const shareOf = (accounts: number, endpoints: number): number =>
  Math.max(1, Math.floor(BATCH / accounts / Math.max(1, endpoints)));
