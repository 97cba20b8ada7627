export interface PostmasterPidFile {
  pid: number;
  port: number;
  status: 'starting' | 'ready' | 'stopping';
}

/**
 * Reads PostgreSQL's postmaster.pid: pid, data directory, start time, port, socket directory, address, shared memory,
 * status, one per line. Null if it ends before the port, which a crash can cause.
 * https://www.postgresql.org/docs/18/storage-file-layout.html
 */
export function parsePostmasterPidFile(text: string): PostmasterPidFile | null {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return null;
  const status = lines[7];
  return { pid, port, status: status === 'ready' || status === 'stopping' ? status : 'starting' };
}
