import { t } from '../texts/text';

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Formats a duration with at most two units, in English for example `340 ms`, `4.2 s`, `3 min 5 s`, `1 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return t('common.duration.ms', { count: Math.round(ms) });
  if (ms < 9_950) return t('common.duration.s', { count: Math.round(ms / 100) / 10 });
  const seconds = Math.round(ms / 1_000);
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(t(`common.duration.${unit}`, { count }));
  }
  return parts.join(' ');
}
