/**
 * Why a process cannot start with this database: names the server, not the password. What stands for several addresses
 * of one name has a code but no message.
 */
export function unusableDatabase(url: string, cause: unknown): Error {
  const { host, pathname } = new URL(url);
  const { message, code } = cause as NodeJS.ErrnoException;
  return new Error(`The database ${host}${pathname} (DATABASE_URL) cannot be used: ${message || String(code)}`, {
    cause,
  });
}
