/**
 * Of the oldest month in the log. Months are dropped from there at once, from the counts a little later. Partitions are
 * called after their months.
 */
export const FIRST_DAY_KEPT = `
  SELECT to_date(min(right(c.relname, 7)), 'YYYY_MM') FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'message_logs'::regclass AND NOT i.inhdetachpending`;
