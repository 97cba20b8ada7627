/**
 * The error of a process that cannot start with this database. It names the server, not the password. If a name has
 * several addresses, the cause is an AggregateError with a code but no message.
 */
export function unusableDatabase(url: string, cause: unknown): Error {
  const { host, pathname } = new URL(url);
  const { message, code } = cause as NodeJS.ErrnoException;
  return new Error(`The database ${host}${pathname} (DATABASE_URL) cannot be used: ${message || String(code)}`, {
    cause,
  });
}
