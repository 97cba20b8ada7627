import { locale } from '../texts/language';

const SHORT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const PRECISE = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

const FORMATS = { short: SHORT, precise: PRECISE };

interface Props {
  value: string | null;
  /** Shown if `value` is null. */
  missing?: string;
  format?: keyof typeof FORMATS;
}

/** Shows local time; the tooltip shows UTC. */
export function Time({ value, missing = '–', format = 'short' }: Props) {
  if (value === null) return missing;
  return (
    <time dateTime={value} title={inUtc(value)}>
      {FORMATS[format].format(new Date(value))}
    </time>
  );
}

export const formatTime = (value: string): string => SHORT.format(new Date(value));

const inUtc = (value: string): string => `${new Date(value).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
