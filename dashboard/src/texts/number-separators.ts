import { locale } from './language';

/** The separators of the locale, for number fields. */
export const NUMBER_SEPARATORS = { thousandSeparator: partOf('group'), decimalSeparator: partOf('decimal') };

function partOf(type: 'group' | 'decimal'): string | undefined {
  return new Intl.NumberFormat(locale).formatToParts(12_345.6).find((part) => part.type === type)?.value;
}
