import { locale } from './language';

/** Shares from 0 to 1 as percentages with at most one decimal. */
export const PERCENT = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
