/** The command line of the server. `settings` override the defaults, but not where it listens. */
export function serverArguments(
  cluster: string,
  port: number,
  durable: boolean,
  settings: Record<string, string>,
): string[] {
  const all = { ...DEFAULTS, ...(durable ? {} : NOT_DURABLE), ...settings, ...listeningOn(port) };
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * There is no replication, so the write-ahead log holds only what recovery needs. `log_min_messages=log` omits the
 * errors of statements, which their caller gets anyway: they would bring addresses into the log.
 */
const DEFAULTS = {
  max_connections: '100',
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** No Unix sockets: their paths are limited to 107 bytes, and that of a data directory may be longer. */
const listeningOn = (port: number) => ({
  listen_addresses: '127.0.0.1',
  port: String(port),
  unix_socket_directories: '',
});
