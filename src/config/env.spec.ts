import { availableParallelism } from 'node:os';

import { describe, expect, it } from '@jest/globals';

import { readEnvironment } from './env.js';

describe('The environment', () => {
  it('has a default for everything', () => {
    expect(readEnvironment({})).toMatchObject({
      role: 'all',
      processes: 1,
      port: 3000,
      databaseUrl: undefined,
      redisUrl: undefined,
      dataDir: '.data',
      trustedProxies: 'any',
      dnsServers: undefined,
      contentRetentionDays: 30,
      messageRetentionMonths: 13,
      logLevel: 'info',
      brand: 'Service',
      shutdownGraceMs: 30_000,
      webhookAllowPrivateNetworks: false,
      admin: undefined,
    });
  });

  it('warns if nobody has decided whose X-Forwarded-For counts in production', () => {
    const warnings = (variables: Record<string, string>) => readEnvironment(variables).warnings;
    expect(warnings({ NODE_ENV: 'production' })).toEqual(['trusted_proxies_unset']);
    expect(warnings({ NODE_ENV: 'production', TRUSTED_PROXIES: ' ' })).toEqual(['trusted_proxies_unset']);
    expect(warnings({ NODE_ENV: 'production', TRUSTED_PROXIES: 'any' })).toEqual([]);
    expect(warnings({ NODE_ENV: 'production', TRUSTED_PROXIES: '10.0.0.0/8' })).toEqual([]);
    expect(warnings({ NODE_ENV: 'production', ROLE: 'worker' })).toEqual([]);
    expect(warnings({})).toEqual([]);
  });

  it('exports traces if it names a collector, unless OpenTelemetry is disabled', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';
    const protocol = (more: Record<string, string> = {}) =>
      readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT, ...more }).tracesProtocol;
    expect(readEnvironment({}).tracesProtocol).toBeNull();
    expect(protocol()).toBe('http/protobuf');
    expect(protocol({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })).toBe('http/json');
    expect(protocol({ OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(protocol({ OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
    expect(readEnvironment({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).tracesProtocol).toBeNull();
    expect(faultsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual([
      '  OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json',
    ]);
  });

  it('sets the number of processes, or as many as there are cores', () => {
    expect(readEnvironment({ PROCESSES: '4' }).processes).toBe(4);
    expect(readEnvironment({ PROCESSES: 'auto' }).processes).toBe(Math.min(64, availableParallelism()));
    for (const PROCESSES of ['0', '65', '1.5', 'many', '-1'])
      expect(faultsOf({ PROCESSES })).toEqual(['  PROCESSES: must be a whole number from 1 to 64, or auto']);
  });

  it('treats blank variables as unset', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '  ', ROLE: '' })).toMatchObject({ port: 3000, role: 'all' });
  });

  it('reports all faults at once, each with its variable', () => {
    const read = () =>
      readEnvironment({
        PORT: 'abc',
        ROLE: 'boss',
        DATABASE_URL: 'mysql://localhost/x',
        REDIS_URL: 'redis+sentinel://:secret@one',
        BASE_URL: 'example.com',
        APP_SECRET: 'short',
        TRUSTED_PROXIES: '10.0.0.0/33',
        LOG_LEVEL: 'loud',
        CONTENT_RETENTION_DAYS: '-1',
        WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'perhaps',
      });
    for (const name of [
      'PORT',
      'ROLE',
      'DATABASE_URL',
      'REDIS_URL',
      'BASE_URL',
      'APP_SECRET',
      'TRUSTED_PROXIES',
      'LOG_LEVEL',
      'CONTENT_RETENTION_DAYS',
      'WEBHOOK_ALLOW_PRIVATE_NETWORKS',
    ]) {
      expect(read).toThrow(new RegExp(`^  ${name}[.:]`, 'm'));
    }
  });

  it('requires a secret in production, and both parts of the first admin', () => {
    expect(() => readEnvironment({ NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost/x' })).toThrow(
      /APP_SECRET/,
    );
    expect(() => readEnvironment({ ADMIN_EMAIL: 'a@example.com' })).toThrow(/ADMIN_PASSWORD/);
  });

  it('does not repeat the credentials of a malformed URL', () => {
    expect(faultsOf({ REDIS_URL: 'redis+sentinel://:secret@one' })).toEqual([
      '  REDIS_URL: must be redis://host:port, redis+sentinel://host:port,…/master or redis+cluster://host:port,…, ' +
        'or the same with rediss',
    ]);
  });

  it('has a replica only for a database of its own', () => {
    const DATABASE_READ_URL = 'postgres://standby/x';
    expect(readEnvironment({ DATABASE_URL: 'postgres://primary/x', DATABASE_READ_URL })).toMatchObject({
      databaseReadUrl: DATABASE_READ_URL,
    });
    expect(faultsOf({ DATABASE_READ_URL })).toEqual([
      '  DATABASE_READ_URL: is a standby of DATABASE_URL, which is not set',
    ]);
  });

  it('has no port for a worker unless it is set', () => {
    expect(readEnvironment({ ROLE: 'worker' }).port).toBeNull();
    expect(readEnvironment({ ROLE: 'worker', PORT: '4000' }).port).toBe(4000);
  });

  it.each([
    ['MESSAGE_RETENTION_MONTHS', '1200', '1201'],
    ['CONTENT_RETENTION_DAYS', '36500', '36501'],
    ['SHUTDOWN_GRACE_MS', '3600000', '3600001'],
    ['DATABASE_POOL_SIZE', '1000', '1001'],
    ['SMS_SYNC_PAGES_PER_SECOND', '1000', '1001'],
    ['MAX_REQUESTS_IN_FLIGHT', '100000', '100001'],
  ])('accepts %s up to %s', (name, most, tooMuch) => {
    expect(() => readEnvironment({ [name]: most })).not.toThrow();
    expect(() => readEnvironment({ [name]: tooMuch })).toThrow(new RegExp(`^  ${name}: `, 'm'));
  });

  it('accepts a relay only with a host and with credentials that can be decoded', () => {
    for (const url of ['smtp://relay.example', 'smtps://user:p%40ss@relay.example:2465', 'smtp://[::1]:25']) {
      expect(readEnvironment({ SMTP_URL: url }).smtpUrl).toBe(url);
    }
    for (const url of ['smtp://', 'smtp:relay.example', 'smtp:///relay', 'smtp://u:100%@relay', 'smtp://%zz:p@relay']) {
      expect(faultsOf({ SMTP_URL: url })).toEqual([
        '  SMTP_URL: must have a host, and credentials (if any) that are percent-encoded',
      ]);
    }
    expect(faultsOf({ SMTP_URL: 'relay' })).toEqual(['  SMTP_URL: must be a URL that begins with smtp:// or smtps://']);
  });

  it('accepts mail by SMTP on ports with a certificate, or, if keys may be sent in plaintext, without one', () => {
    expect(readEnvironment({}).submission).toBeNull();
    const files = { SMTP_TLS_CERT: '/cert.pem', SMTP_TLS_KEY: '/key.pem' };
    expect(readEnvironment({ SMTP_PORT: '587', SMTPS_PORT: '465', ...files }).submission).toEqual({
      ...{ port: 587, tlsPort: 465, tlsFiles: { cert: '/cert.pem', key: '/key.pem' } },
      ...{ allowsPlaintextAuth: false, maxConnections: 200 },
    });
    const plain = { SMTP_PORT: '587', SMTP_ALLOW_PLAINTEXT_AUTH: 'true' };
    expect(readEnvironment(plain).submission).toMatchObject({ tlsFiles: null, allowsPlaintextAuth: true });
    const incomplete: Record<string, string>[] = [
      { SMTP_PORT: '587' },
      { SMTPS_PORT: '465', SMTP_ALLOW_PLAINTEXT_AUTH: 'true' },
    ];
    for (const variables of incomplete) {
      const [name] = Object.keys(variables);
      expect(faultsOf(variables)).toEqual([
        `  SMTP_TLS_CERT: is required where ${name} is set, together with SMTP_TLS_KEY`,
      ]);
    }
    expect(faultsOf({ SMTP_TLS_CERT: '/cert.pem' })).toEqual([
      '  SMTP_TLS_KEY: SMTP_TLS_CERT and SMTP_TLS_KEY go together',
    ]);
  });

  it('shows the public ports of SMTP instead of its own, and also without any of its own', () => {
    const files = { SMTP_TLS_CERT: '/cert.pem', SMTP_TLS_KEY: '/key.pem' };
    const behind = { SMTP_PORT: '2587', SMTPS_PORT: '2465', SMTP_PUBLIC_PORT: '587', ...files };
    expect(readEnvironment(behind).smtpAccess).toEqual({ port: 587, startTls: true, tlsPort: 2465 });
    expect(readEnvironment({ SMTPS_PUBLIC_PORT: '465' })).toMatchObject({
      submission: null,
      smtpAccess: { port: null, startTls: false, tlsPort: 465 },
    });
    const plain = { SMTP_PUBLIC_PORT: '25', SMTP_ALLOW_PLAINTEXT_AUTH: 'true' };
    expect(readEnvironment(plain).smtpAccess).toEqual({ port: 25, startTls: false, tlsPort: null });
    expect(readEnvironment({}).smtpAccess).toBeNull();
    expect(faultsOf({ SMTP_PUBLIC_PORT: '0' })).toHaveLength(1);
  });

  it('accepts resolvers with or without a port', () => {
    expect(readEnvironment({ DNS_SERVERS: '192.0.2.1, 192.0.2.2:5353,[2001:db8::1]:53,::1' }).dnsServers).toEqual([
      '192.0.2.1',
      '192.0.2.2:5353',
      '[2001:db8::1]:53',
      '::1',
    ]);
    for (const servers of ['dns.example', '192.0.2.1:70000', '192.0.2.1:0', '10.0.0.0/8', '[::1', '192.0.2.1:53:53']) {
      expect(faultsOf({ DNS_SERVERS: servers })).toEqual([
        '  DNS_SERVERS.0: must be IP addresses, each with or without a port',
      ]);
    }
    expect(faultsOf({ DNS_SERVERS: ',' })).toHaveLength(1);
  });

  it('accepts additional hosts of signing certificates, by name or address', () => {
    expect(readEnvironment({}).snsSigningCertHosts).toEqual([]);
    expect(readEnvironment({ SNS_SIGNING_CERT_HOSTS: 'SNS.example, 127.0.0.1,[::1]' }).snsSigningCertHosts).toEqual([
      'sns.example',
      '127.0.0.1',
      '[::1]',
    ]);
    for (const host of ['https://sns.example', '127.0.0.1:80', 'a b', '*'])
      expect(faultsOf({ SNS_SIGNING_CERT_HOSTS: host })).toHaveLength(1);
  });

  it('knows where the API of Twilio is, unless it is told', () => {
    expect(readEnvironment({}).twilioApiUrl).toBe('https://api.twilio.com');
    expect(readEnvironment({ TWILIO_API_URL: 'http://proxy:8080/twilio/' }).twilioApiUrl).toBe(
      'http://proxy:8080/twilio',
    );
    for (const url of [
      'api.twilio.com',
      'ftp://api.twilio.com',
      'https://a:b@api.twilio.com',
      'https://api/?region=ie1',
    ])
      expect(faultsOf({ TWILIO_API_URL: url })).toHaveLength(1);
  });

  it('accepts only base URLs that paths can be appended to', () => {
    for (const [url, base] of [
      ['https://mail.example.org/', 'https://mail.example.org'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['http://[::1]:3000/mail/@team/', 'http://[::1]:3000/mail/@team'],
      ['HTTPS://Mail.Example.org', 'https://mail.example.org'],
    ] as const) {
      expect(readEnvironment({ BASE_URL: url }).baseUrl).toBe(base);
    }
    for (const url of [
      'http:example.org',
      'http:///example.org',
      'http:\\\\example.org',
      'https://example.org?a=b',
      'https://example.org/#top',
      'https://user@example.org',
      'https://user:secret@example.org/',
    ]) {
      expect(faultsOf({ BASE_URL: url })).toEqual([
        '  BASE_URL: must have a host, and no credentials, query or fragment',
      ]);
    }
  });
});

function faultsOf(variables: Record<string, string>): string[] {
  try {
    readEnvironment(variables);
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
  return [];
}
