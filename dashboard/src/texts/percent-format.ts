const ALMOST_ALL = 0.999;

/**
 * Writes a share from 0 to 1 as a percentage: with one decimal, and below 1 % with two significant digits, so that only
 * zero is shown as 0 % and only the whole as 100 %.
 */
export function percentFormat(locale: string): (share: number) => string {
  const oneDecimal = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const twoDigits = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 });
  return (share) => {
    if (share > 0 && share < 0.01) return twoDigits.format(share);
    return oneDecimal.format(share < 1 ? Math.min(share, ALMOST_ALL) : share);
  };
}
