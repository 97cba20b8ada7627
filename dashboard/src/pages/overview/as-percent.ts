const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

/** As fine as the limits that it is compared with. */
export const asPercent = (share: number): string => PERCENT.format(share);
