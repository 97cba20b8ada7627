import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';

import { z } from 'zod';

import { isServerAddress, parseRange } from '../shared/ip-address.js';
import { parseRedisUrl, REDIS_URL_FORMS } from '../shared/redis-url.js';
import { relayFromUrl } from '../shared/smtp-relay.js';
import { DEFAULT_PORT, type Environment, type SmtpAccess, type SubmissionConfig } from './config.js';
import * as limits from './limits.js';
import { readSecretFiles, SECRET_FILE_VARIABLES } from './secret-files.js';
import type { Warning } from './warnings.js';

const port = z.coerce.number().int().min(0).max(65_535);
const publicPort = port.min(1);
const within = ({ min, max }: { min: number; max: number }) => z.coerce.number().int().min(min).max(max);
const count = (limit: { min: number; max: number; fallback: number }) => within(limit).prefault(limit.fallback);
const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    abort: true,
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  });
const publicUrl = url('http', 'https').regex(
  /^https?:\/\/[^\s/\\?#@]+(\/[^\s\\?#]*)?$/i,
  'must have a host, and no credentials, query or fragment',
);
const relayUrl = url('smtp', 'smtps').refine(
  isRelayUrl,
  'must have a host, and credentials (if any) that are percent-encoded',
);
const redisUrl = z.string().refine((text) => parseRedisUrl(text) !== null, `must be ${REDIS_URL_FORMS}`);
const isAddressOrRange = (text: string): boolean => isIP(text) !== 0 || parseRange(text) !== null;

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);
const secret = z.string().min(32, 'must have at least 32 characters');
const { PROCESSES } = limits;
const processes = z
  .string()
  .transform((text) => (text === 'auto' ? Math.min(availableParallelism(), PROCESSES.max) : Number(text)))
  .refine(
    (number) => Number.isInteger(number) && number >= PROCESSES.min && number <= PROCESSES.max,
    `must be a whole number from ${PROCESSES.min} to ${PROCESSES.max}, or auto`,
  );
/** A host in the form of `URL.hostname`, with IPv6 addresses in brackets. */
const HOST = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i;

const schema = z.object({
  NODE_ENV: z.string().optional(),
  ROLE: z.enum(['all', 'api', 'worker']).prefault('all'),
  PROCESSES: processes.prefault(String(PROCESSES.fallback)),
  PORT: port.optional(),
  HOST: z.string().min(1).optional(),
  BASE_URL: publicUrl.optional(),
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  DATABASE_READ_URL: url('postgres', 'postgresql').optional(),
  REDIS_URL: redisUrl.optional(),
  DATA_DIR: z.string().min(1).prefault('.data'),
  APP_SECRET: secret.optional(),
  APP_SECRET_PREVIOUS: secret.optional(),
  SMTP_URL: relayUrl.optional(),
  SMTP_PORT: port.optional(),
  SMTPS_PORT: port.optional(),
  SMTP_PUBLIC_PORT: publicPort.optional(),
  SMTPS_PUBLIC_PORT: publicPort.optional(),
  SMTP_TLS_CERT: z.string().min(1).optional(),
  SMTP_TLS_KEY: z.string().min(1).optional(),
  SMTP_ALLOW_PLAINTEXT_AUTH: z.enum(['true', 'false']).prefault('false'),
  SMTP_MAX_CONNECTIONS: count(limits.SMTP_MAX_CONNECTIONS),
  SMTP_ALLOW_PRIVATE_NETWORKS: z.enum(['true', 'false']).optional(),
  MAIL_FROM: z.email().optional(),
  TRUSTED_PROXIES: z
    .union([
      z.literal('any'),
      list.pipe(z.array(z.string().refine(isAddressOrRange, 'must be IP addresses or CIDR ranges'))),
    ])
    .prefault('any'),
  DNS_SERVERS: list
    .pipe(z.array(z.string().refine(isServerAddress, 'must be IP addresses, each with or without a port')).min(1))
    .optional(),
  SNS_SIGNING_CERT_HOSTS: list
    .pipe(z.array(z.string().regex(HOST, 'must be host names or IP addresses, without a port')))
    .optional(),
  TWILIO_API_URL: publicUrl.prefault('https://api.twilio.com'),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: z.enum(['true', 'false']).prefault('false'),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(limits.MIN_PASSWORD_LENGTH, `must have at least ${limits.MIN_PASSWORD_LENGTH} characters`)
    .max(limits.MAX_PASSWORD_LENGTH)
    .optional(),
  ACCOUNT_NAME: z.string().min(1).max(limits.MAX_ACCOUNT_NAME_LENGTH).prefault('Default'),
  MAX_ATTACHMENTS_MB: count(limits.MAX_ATTACHMENTS_MB),
  CONTENT_RETENTION_DAYS: count(limits.CONTENT_RETENTION_DAYS),
  MESSAGE_RETENTION_MONTHS: count(limits.MESSAGE_RETENTION_MONTHS),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).prefault('info'),
  BRAND: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, beginning with a letter')
    .prefault('Service'),
  SHUTDOWN_GRACE_MS: count(limits.SHUTDOWN_GRACE_MS),
  DATABASE_POOL_SIZE: count(limits.DATABASE_POOL_SIZE),
  DATABASE_CONNECT_TIMEOUT_MS: count(limits.DATABASE_CONNECT_TIMEOUT_MS),
  START_TIMEOUT_MS: count(limits.START_TIMEOUT_MS),
  SMS_SYNC_PAGES_PER_SECOND: count(limits.SMS_SYNC_PAGES_PER_SECOND),
  MAX_REQUESTS_IN_FLIGHT: within(limits.MAX_REQUESTS_IN_FLIGHT).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
});

/** The variables that the service reads. */
export const VARIABLES: readonly string[] = [...Object.keys(schema.shape), ...SECRET_FILE_VARIABLES];

/** Those of them that are set. Empty variables count as unset. */
export const setVariables = (variables: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> =>
  Object.fromEntries(
    VARIABLES.flatMap((name) => {
      const value = variables[name];
      return value?.trim() ? [[name, value]] : [];
    }),
  );

function isRelayUrl(text: string): boolean {
  try {
    return relayFromUrl(text).host !== '';
  } catch {
    return false; // the caller reports what is expected
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

const TRACES_PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/**
 * Returns null if no traces are exported, undefined if the protocol is not supported. The names are OpenTelemetry's
 * own.
 */
function tracesProtocolOf(set: Variables): Environment['tracesProtocol'] | undefined {
  const endpoint = set.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? set.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isDisabled = set.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || set.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || isDisabled) return null;
  const protocol = set.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? set.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
  return TRACES_PROTOCOLS.find((supported) => supported === protocol);
}

/**
 * Faults of variables that depend on each other. A refinement of the schema would run only when there are no other
 * faults.
 */
function faultsBetween(set: Variables): string[] {
  const { NODE_ENV, DATABASE_URL, DATABASE_READ_URL, APP_SECRET, ADMIN_EMAIL, ADMIN_PASSWORD } = set;
  const needsSecret = NODE_ENV === 'production' && DATABASE_URL !== undefined && APP_SECRET === undefined;
  const missing = ADMIN_EMAIL === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD';
  return [
    ...(needsSecret ? ['APP_SECRET: is required where NODE_ENV=production and DATABASE_URL are set'] : []),
    ...(DATABASE_READ_URL !== undefined && DATABASE_URL === undefined
      ? ['DATABASE_READ_URL: is a standby of DATABASE_URL, which is not set']
      : []),
    ...submissionFaults(set),
    ...((ADMIN_EMAIL === undefined) === (ADMIN_PASSWORD === undefined)
      ? []
      : [`${missing}: ADMIN_EMAIL and ADMIN_PASSWORD go together`]),
    ...(tracesProtocolOf(set) === undefined
      ? [`OTEL_EXPORTER_OTLP_PROTOCOL: must be ${TRACES_PROTOCOLS.join(' or ')}`]
      : []),
  ];
}

function submissionFaults({ SMTP_PORT, SMTPS_PORT, SMTP_TLS_CERT, SMTP_TLS_KEY, ...set }: Variables): string[] {
  const hasCertificate = SMTP_TLS_CERT !== undefined && SMTP_TLS_KEY !== undefined;
  const missing = SMTP_TLS_CERT === undefined ? 'SMTP_TLS_CERT' : 'SMTP_TLS_KEY';
  if ((SMTP_TLS_CERT === undefined) !== (SMTP_TLS_KEY === undefined))
    return [`${missing}: SMTP_TLS_CERT and SMTP_TLS_KEY go together`];
  const needsCertificate = SMTP_PORT !== undefined && set.SMTP_ALLOW_PLAINTEXT_AUTH !== 'true';
  if (hasCertificate || (SMTPS_PORT === undefined && !needsCertificate)) return [];
  const port = SMTPS_PORT === undefined ? 'SMTP_PORT' : 'SMTPS_PORT';
  return [`SMTP_TLS_CERT: is required where ${port} is set, together with SMTP_TLS_KEY`];
}

/** Lists every fault of the environment, one per line, with its variable. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/**
 * Reads the environment once, and the files of its secrets. Empty variables count as unset. Throws a ConfigurationError
 * with all faults at once.
 */
export const readEnvironment = (variables: NodeJS.ProcessEnv = process.env): Environment =>
  Object.freeze(parse(variables));

function parse(variables: NodeJS.ProcessEnv): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const { set, faults: fileFaults, undecided } = readSecretFiles(given);
  const { success, data, error } = schema.safeParse(set);
  const faults = [
    ...(success ? [] : error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)),
    ...faultsBetween(set).filter((fault) => !undecided.some((name) => fault.startsWith(`${name}: `))),
    ...fileFaults,
  ];
  if (!success || faults.length > 0)
    throw new ConfigurationError(`The configuration has faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return {
    isProduction: data.NODE_ENV === 'production',
    role: data.ROLE,
    processes: data.PROCESSES,
    port: data.PORT ?? (data.ROLE === 'worker' ? null : DEFAULT_PORT),
    host: data.HOST,
    baseUrl: data.BASE_URL && withoutSlash(data.BASE_URL),
    databaseUrl: data.DATABASE_URL,
    databaseReadUrl: data.DATABASE_READ_URL,
    redisUrl: data.REDIS_URL,
    dataDir: data.DATA_DIR,
    appSecret: data.APP_SECRET,
    appSecretPrevious: data.APP_SECRET_PREVIOUS,
    smtpUrl: data.SMTP_URL,
    submission: submissionOf(data),
    smtpAccess: smtpAccessOf(data),
    smtpAllowPrivateNetworks: (data.SMTP_ALLOW_PRIVATE_NETWORKS ?? String(data.NODE_ENV !== 'production')) === 'true',
    mailFrom: data.MAIL_FROM,
    trustedProxies: data.TRUSTED_PROXIES,
    warnings: warningsOf(data, set),
    dnsServers: data.DNS_SERVERS,
    snsSigningCertHosts: data.SNS_SIGNING_CERT_HOSTS?.map((host) => host.toLowerCase()) ?? [],
    twilioApiUrl: withoutSlash(data.TWILIO_API_URL),
    webhookAllowPrivateNetworks: data.WEBHOOK_ALLOW_PRIVATE_NETWORKS === 'true',
    admin:
      data.ADMIN_EMAIL && data.ADMIN_PASSWORD
        ? { email: data.ADMIN_EMAIL, password: data.ADMIN_PASSWORD, accountName: data.ACCOUNT_NAME }
        : undefined,
    maxAttachmentsMb: data.MAX_ATTACHMENTS_MB,
    contentRetentionDays: data.CONTENT_RETENTION_DAYS,
    messageRetentionMonths: data.MESSAGE_RETENTION_MONTHS,
    logLevel: data.LOG_LEVEL,
    tracesProtocol: tracesProtocolOf(set) ?? null,
    brand: data.BRAND,
    shutdownGraceMs: data.SHUTDOWN_GRACE_MS,
    databaseConnectTimeoutMs: data.DATABASE_CONNECT_TIMEOUT_MS,
    startTimeoutMs: data.START_TIMEOUT_MS,
    databasePoolSize: data.DATABASE_POOL_SIZE,
    smsSyncPagesPerSecond: data.SMS_SYNC_PAGES_PER_SECOND,
    maxRequestsInFlight: data.MAX_REQUESTS_IN_FLIGHT,
  };
}

const withoutSlash = (url: string): string => new URL(url).href.replace(/(?<!\/)\/+$/, '');

function warningsOf({ NODE_ENV, ROLE }: z.infer<typeof schema>, { TRUSTED_PROXIES }: Variables): Warning[] {
  const isServed = NODE_ENV === 'production' && ROLE !== 'worker';
  return isServed && TRUSTED_PROXIES === undefined ? ['trusted_proxies_unset'] : [];
}

function submissionOf(data: z.infer<typeof schema>): SubmissionConfig | null {
  const { SMTP_PORT: port = null, SMTPS_PORT: tlsPort = null, SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key } = data;
  if (port === null && tlsPort === null) return null;
  return {
    port,
    tlsPort,
    tlsFiles: cert !== undefined && key !== undefined ? { cert, key } : null,
    allowsPlaintextAuth: data.SMTP_ALLOW_PLAINTEXT_AUTH === 'true',
    maxConnections: data.SMTP_MAX_CONNECTIONS,
  };
}

/** Without TLS, a port exists only if keys may be sent in plaintext; then it lacks STARTTLS. */
function smtpAccessOf(data: z.infer<typeof schema>): SmtpAccess | null {
  const port = data.SMTP_PUBLIC_PORT ?? data.SMTP_PORT ?? null;
  const tlsPort = data.SMTPS_PUBLIC_PORT ?? data.SMTPS_PORT ?? null;
  if (port === null && tlsPort === null) return null;
  const hasTls = data.SMTP_TLS_CERT !== undefined || data.SMTP_ALLOW_PLAINTEXT_AUTH === 'false';
  return { port, startTls: port !== null && hasTls, tlsPort };
}
