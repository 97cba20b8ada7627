export const DAY_MS = 86_400_000;

/** The start of the UTC day of `time`. */
export const dayOf = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** Formats the UTC day as `YYYY-MM-DD`. */
export const isoDay = (time: Date): string => time.toISOString().slice(0, 10);

/** The start of the UTC month `months` after (or, if negative, before) the month of `time`. */
export const monthAfter = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));

/** The start of the UTC month of `time`. */
export const monthOf = (time: Date): Date => monthAfter(time, 0);
