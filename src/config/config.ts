import type { Warning } from './warnings.js';

export const DEFAULT_PORT = 3000;

/** The settings of SMTP submission. */
export interface SubmissionConfig {
  /** The port with STARTTLS, or without TLS if there is no certificate; null if there is none. */
  port: number | null;
  /** The port with TLS from the beginning; null if there is none. */
  tlsPort: number | null;
  /** The files of the certificate and of its key; null if there is only a port without TLS. */
  tlsFiles: { cert: string; key: string } | null;
  /** Whether keys are accepted on connections without TLS. */
  allowsPlaintextAuth: boolean;
  maxConnections: number;
}

/** The ports of SMTP submission as clients see them. */
export interface SmtpAccess {
  port: number | null;
  /** Whether `port` offers STARTTLS. */
  startTls: boolean;
  tlsPort: number | null;
}

/** The resolved configuration of the process; the Nest token for it. docs/operations.md explains every variable. */
export abstract class Config {
  abstract readonly isProduction: boolean;
  abstract readonly role: 'all' | 'api' | 'worker';
  /** The number of processes of this service. With more than one, a primary starts and supervises them. */
  abstract readonly processes: number;
  /** Null for a worker without PORT, which does not listen. */
  abstract readonly port: number | null;
  /** The address to listen on; undefined for all addresses of the machine. */
  abstract readonly host: string | undefined;
  /** The public address used in links, without a trailing slash. */
  abstract readonly baseUrl: string;
  abstract readonly databaseUrl: string;
  /** A standby from which lists, searches and aggregates are read. */
  abstract readonly databaseReadUrl: string | undefined;
  /** Connections of this process to PostgreSQL (and as many to the standby), not counting those of the queue. */
  abstract readonly databasePoolSize: number;
  /** The limit for connecting to PostgreSQL, and for waiting for a pooled connection, once the service has started. */
  abstract readonly databaseConnectTimeoutMs: number;
  /** The time for which a start waits for a PostgreSQL that cannot be reached. With 0 it tries once. */
  abstract readonly startTimeoutMs: number;
  /** Requests beyond this number are refused. */
  abstract readonly maxRequestsInFlight: number;
  /** Undefined if the queue is in PostgreSQL. */
  abstract readonly redisUrl: string | undefined;
  abstract readonly dataDir: string;
  /** Signs sessions and links, encrypts stored secrets. */
  abstract readonly appSecret: string;
  /** The previous secret, which still verifies and decrypts. */
  abstract readonly appSecretPrevious: string | undefined;
  /** The relay of accounts without one of their own. */
  abstract readonly smtpUrl: string | undefined;
  /** Null if this process accepts no mail by SMTP. */
  abstract readonly submission: SubmissionConfig | null;
  /** The access that is shown to users; null if no process of the service accepts mail by SMTP. */
  abstract readonly smtpAccess: SmtpAccess | null;
  /** Whether relays of accounts may have private, loopback or otherwise reserved addresses. */
  abstract readonly smtpAllowPrivateNetworks: boolean;
  /** The From address of the service's own mail, such as sender verification. */
  abstract readonly mailFrom: string;
  /** Addresses and CIDR ranges of peers whose X-Forwarded-For is trusted. */
  abstract readonly trustedProxies: 'any' | readonly string[];
  /** Faults of the configuration that do not keep the service from starting. */
  abstract readonly warnings: readonly Warning[];
  /** Resolvers for domain checks, each `ip` or `ip:port` (IPv6 then in brackets); undefined for those of the system. */
  abstract readonly dnsServers: readonly string[] | undefined;
  /** Hosts, besides those of AWS, whose SNS signing certificates and subscribe URLs are accepted. */
  abstract readonly snsSigningCertHosts: readonly string[];
  /** The base URL of Twilio's API, without a trailing slash. */
  abstract readonly twilioApiUrl: string;
  /** Whether webhooks may have private, loopback or otherwise reserved addresses. */
  abstract readonly webhookAllowPrivateNetworks: boolean;
  abstract readonly admin: { email: string; password: string; accountName: string } | undefined;
  /** The maximum size of all attachments of a send together, decoded, in MB of 1,048,576 bytes. */
  abstract readonly maxAttachmentsMb: number;
  /** 0 for unlimited retention. */
  abstract readonly contentRetentionDays: number;
  /** 0 for unlimited retention. */
  abstract readonly messageRetentionMonths: number;
  abstract readonly logLevel: string;
  /** The protocol of exported traces; null if they are not exported. The SDK reads the collector's address itself. */
  abstract readonly tracesProtocol: 'http/protobuf' | 'http/json' | null;
  abstract readonly brand: string;
  abstract readonly shutdownGraceMs: number;
  /** The rate at which pages of the provider's opt-out list are read. */
  abstract readonly smsSyncPagesPerSecond: number;
}

/** Values that `resolveConfig` derives from the machine if they are not set. */
type Unresolved = 'baseUrl' | 'databaseUrl' | 'appSecret' | 'mailFrom' | 'maxRequestsInFlight';
export type Environment = Readonly<Omit<Config, Unresolved> & { [Name in Unresolved]?: Config[Name] | undefined }>;
