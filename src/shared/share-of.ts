/** The part of a whole number that a share of it is, rounded down, but at least one. */
export const shareOf = (whole: number, share: number): number => Math.max(1, Math.floor(whole * share));
