const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

/** Two decimals, as fine as the limits that rates are compared with. */
export const asPercent = (share: number): string => PERCENT.format(share);
