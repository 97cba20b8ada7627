const DAY_MS = 86_400_000;

export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All time zones that the browser knows, for select fields. */
export const timeZones = (): { value: string; label: string }[] =>
  [...new Set([LOCAL_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }));

/** A wall-clock time in the format of a `datetime-local` input as ISO 8601 with the offset of the zone at that time. */
export function toZonedIso(wallClock: string, zone: string): string {
  const asUtc = new Date(`${wallClock}Z`);
  const before = offsetMinutes(asUtc, zone);
  // The offset at the time itself may differ from the one at the same digits in UTC, near a change of the clocks.
  const offset = offsetMinutes(new Date(asUtc.getTime() - before * 60_000), zone);
  return `${wallClock}${formatOffset(offset)}`;
}

/** The wall-clock time in a zone, in the format of a `datetime-local` input, to the minute. */
export function toWallClock(iso: string, zone: string): string {
  const time = new Date(iso);
  return new Date(time.getTime() + offsetMinutes(time, zone) * 60_000).toISOString().slice(0, 16);
}

/**
 * The time at which a calendar day begins in a zone. Usually midnight, but some clocks change then: of two midnights
 * the first one counts, and if there is none, the day begins with the change.
 */
export function startOfDay(day: string, zone: string): string {
  const asUtc = new Date(`${day}T00:00:00Z`).getTime();
  const byOffsetAt = (time: number) => asUtc - offsetMinutes(new Date(time), zone) * 60_000;
  const [before, after] = [byOffsetAt(asUtc - DAY_MS), byOffsetAt(asUtc + DAY_MS)];
  const midnights = [before, after].filter((time) => isMidnight(time, day, zone));
  const start = midnights.length > 0 ? Math.min(...midnights) : before;
  return new Date(start).toISOString();
}

const isMidnight = (time: number, day: string, zone: string): boolean =>
  toWallClock(new Date(time).toISOString(), zone) === `${day}T00:00`;

function offsetMinutes(time: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(time);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function formatOffset(minutes: number): string {
  const part = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}
