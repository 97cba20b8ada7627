import { locale } from './language';
import { percentFormat } from './percent-format';

/** See `percentFormat`. */
export const percent = percentFormat(locale);
