const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The start of a local day, or of a later one, in UTC. Returns an invalid day unchanged, for the API to reject. */
export function startOfDay(day: string, { daysLater = 0 } = {}): string {
  const start = new Date(`${day}T00:00`);
  if (!DAY.test(day) || Number.isNaN(start.getTime())) return day;
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}
