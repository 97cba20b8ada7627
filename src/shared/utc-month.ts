/** The start of the UTC month `months` after (or, if negative, before) the month of `time`. */
export const monthAfter = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));

/** The start of the UTC month of `time`. */
export const monthOf = (time: Date): Date => monthAfter(time, 0);
