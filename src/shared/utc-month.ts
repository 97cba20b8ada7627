/** The first moment of the UTC month that lies so many months after that of `time`; before it where negative. */
export const monthAfter = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));

/** The first moment of the UTC month of `time`. */
export const monthOf = (time: Date): Date => monthAfter(time, 0);
