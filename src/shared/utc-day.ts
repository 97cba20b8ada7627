export const DAY_MS = 86_400_000;

/** The start of the UTC day of `time`. */
export const dayOf = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** Formats the UTC day as `YYYY-MM-DD`. */
export const isoDay = (time: Date): string => time.toISOString().slice(0, 10);
