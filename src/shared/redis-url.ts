import { parseUrl } from './parse-url.js';

export interface RedisHost {
  host: string;
  port: number;
}

interface Credentials {
  username?: string;
  password?: string;
}

/** The address of Redis, with credentials in clear. */
export type RedisAddress =
  | { kind: 'server'; url: string }
  | ({ kind: 'cluster'; tls: boolean; nodes: RedisHost[] } & Credentials)
  | ({
      kind: 'sentinel';
      tls: boolean;
      sentinels: RedisHost[];
      /** The name under which the Sentinels know the master. */
      master: string;
      db: number;
      sentinelUsername?: string;
      sentinelPassword?: string;
    } & Credentials);

/** The accepted forms, for messages. */
export const REDIS_URL_FORMS =
  'redis://host:port, redis+sentinel://host:port,…/master or redis+cluster://host:port,…, or the same with rediss';

const SINGLE = /^rediss?:\/\/[^/?#]/i;
const SEVERAL =
  /^(?<tls>rediss?)\+(?<kind>sentinel|cluster):\/\/((?<user>[^/?#]*)@)?(?<hosts>[^/?#@]+)(\/(?<path>[^?#]*))?(\?(?<query>[^#]*))?$/i;
const HOST = /^(?<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?<port>\d{1,5}))?$/i;

const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;

/**
 * Parses `redis://…` and `rediss://…` (one server), `redis+sentinel://[user:password@]host[:port][,…]/master[/db]` with
 * the optional parameters `sentinel_username` and `sentinel_password`, and
 * `redis+cluster://[user:password@]host[:port][,…]`. With `rediss+…` all connections use TLS. Credentials, the master
 * and parameters are percent-encoded. Null for anything else.
 */
export function parseRedisUrl(text: string): RedisAddress | null {
  if (SINGLE.test(text)) return parseUrl(text) ? { kind: 'server', url: text } : null;
  const { tls = '', kind = '', user, hosts = '', path = '', query = '' } = SEVERAL.exec(text)?.groups ?? {};
  try {
    const servers = { tls: tls.toLowerCase() === 'rediss', ...credentialsOf(user) };
    if (kind.toLowerCase() === 'sentinel')
      return { kind: 'sentinel', ...servers, sentinels: hostsOf(hosts, SENTINEL_PORT), ...masterOf(path, query) };
    check(kind.toLowerCase() === 'cluster' && ['', '0'].includes(path) && query === '');
    return { kind: 'cluster', ...servers, nodes: hostsOf(hosts, REDIS_PORT) };
  } catch {
    return null;
  }
}

function credentialsOf(user: string | undefined): Credentials {
  if (user === undefined) return {};
  const [username = '', ...password] = user.split(':');
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password.length === 0 ? {} : { password: decodeURIComponent(password.join(':')) }),
  };
}

const hostsOf = (hosts: string, defaultPort: number): RedisHost[] =>
  hosts.split(',').map((entry) => {
    const { host = '', port = String(defaultPort) } = HOST.exec(entry)?.groups ?? {};
    check(host !== '' && Number(port) >= 1 && Number(port) <= 65_535);
    return { host: host.replace(/^\[(.+)\]$/, '$1'), port: Number(port) };
  });

function masterOf(path: string, query: string) {
  const { master = '', db = '0' } = /^(?<master>[^/]+)(\/(?<db>\d{1,5}))?$/.exec(path)?.groups ?? {};
  check(master !== '');
  const found: { sentinelUsername?: string; sentinelPassword?: string } = {};
  for (const [name, value] of new URLSearchParams(query)) {
    check(name === 'sentinel_username' || name === 'sentinel_password');
    if (name === 'sentinel_username') found.sentinelUsername = value;
    else found.sentinelPassword = value;
  }
  return { master: decodeURIComponent(master), db: Number(db), ...found };
}

function check(isWellFormed: boolean): asserts isWellFormed {
  if (!isWellFormed) throw new Error('malformed');
}
