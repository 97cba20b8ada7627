/** Command line of the server. `settings` wins over the defaults, nothing wins over where it listens. */
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
 * No replication, so the write-ahead log holds what recovery needs and no more. `log_min_messages=log` leaves out the
 * errors of statements: their caller gets them, and they would carry addresses into the log and let it grow.
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

/** No Unix sockets: their paths are limited to 107 bytes, and a data directory may lie deeper. */
const listeningOn = (port: number) => ({
  listen_addresses: '127.0.0.1',
  port: String(port),
  unix_socket_directories: '',
});
