const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** For example `340 ms`, `4.2 s`, `3 min 5 s`, `1 d 4 h`: at most two units. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`;
  const seconds = Math.round(ms / 1_000);
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}
