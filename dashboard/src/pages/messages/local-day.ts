const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** When a day begins where the reader is, or the one after it. What is no day is left for the service to refuse. */
export function startOfDay(day: string, { daysLater = 0 } = {}): string {
  const start = new Date(`${day}T00:00`);
  if (!DAY.test(day) || Number.isNaN(start.getTime())) return day;
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}
