const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

export const asPercent = (share: number): string => PERCENT.format(share);
