import { locale } from '../texts/language';
import { exactTime, relativeTime } from './relative-time';
import { useNow } from './use-now';
import { LOCAL_ZONE } from './zoned-time';

interface Props {
  value: string | null;
  /** Shown if `value` is null. */
  missing?: string;
}

/** The distance of a time from now, for lists. The tooltip has the exact local time and UTC. */
export function TimeAgo({ value, missing = '–' }: Props) {
  const now = useNow();
  if (value === null) return missing;
  const at = new Date(value);
  return (
    <time dateTime={value} title={exactTime(at, LOCAL_ZONE, locale)}>
      {relativeTime(at, now, LOCAL_ZONE, locale)}
    </time>
  );
}
