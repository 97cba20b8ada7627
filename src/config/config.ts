export const DEFAULT_PORT = 3000;

/** The resolved configuration of the process; the Nest token for it. docs/operations.md explains every variable. */
export abstract class Config {
  abstract readonly isProduction: boolean;
  abstract readonly role: 'all' | 'api' | 'worker';
  /** Null: listens on none (a worker that was given no port). */
  abstract readonly port: number | null;
  /** The address to listen on; undefined: all of the machine's. */
  abstract readonly host: string | undefined;
  /** The public address used in links, without a trailing slash. */
  abstract readonly baseUrl: string;
  abstract readonly databaseUrl: string;
  /** Connections of this process to PostgreSQL, the queue's apart. */
  abstract readonly databasePoolSize: number;
  /** Requests that are worked on at a time; what comes beyond is refused. */
  abstract readonly maxRequestsInFlight: number;
  /** Undefined: the queue lives in PostgreSQL. */
  abstract readonly redisUrl: string | undefined;
  abstract readonly dataDir: string;
  /** Signs sessions and links, encrypts stored secrets. */
  abstract readonly appSecret: string;
  /** The relay of accounts that have none of their own. */
  abstract readonly smtpUrl: string | undefined;
  /** Whether the relays of accounts may have private, loopback and other addresses that are not public. */
  abstract readonly smtpAllowPrivateNetworks: boolean;
  /** Who the service's own mail (sender verification) comes from. */
  abstract readonly mailFrom: string;
  /** Peers whose X-Forwarded-For counts: addresses and CIDR ranges. */
  abstract readonly trustedProxies: 'any' | readonly string[];
  /** Resolvers for the checks of domains, each `ip` or `ip:port` (IPv6 then in brackets); undefined: the system's. */
  abstract readonly dnsServers: readonly string[] | undefined;
  /** Besides AWS's own: hosts whose certificates for SNS signatures and whose subscribe URLs are accepted. */
  abstract readonly snsSigningCertHosts: readonly string[];
  /** Lets webhooks reach private, loopback and other addresses that are not public. */
  abstract readonly webhookAllowPrivateNetworks: boolean;
  abstract readonly admin: { email: string; password: string; accountName: string } | undefined;
  /** 0 keeps for ever. */
  abstract readonly contentRetentionDays: number;
  /** 0 keeps for ever. */
  abstract readonly messageRetentionMonths: number;
  abstract readonly logLevel: string;
  abstract readonly brand: string;
  abstract readonly shutdownGraceMs: number;
  /** Of the opt-out list that a reading of it asks for. */
  abstract readonly smsSyncPagesPerSecond: number;
}

/** What depends on the machine rather than on the environment may still be missing. */
type Unresolved = 'baseUrl' | 'databaseUrl' | 'appSecret' | 'mailFrom' | 'maxRequestsInFlight';
export type Environment = Readonly<Omit<Config, Unresolved> & { [Name in Unresolved]?: Config[Name] | undefined }>;
