import 'reflect-metadata';

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url));
/** The validation type of fields that may be left out: it decides whether anything is checked. */
const CONDITION = 'conditionalValidation';
/**
 * They refuse another type with a message of their own that names what is expected, or are followed by one that does.
 */
const SAY_THE_TYPE = new Set([
  'isString',
  'isInt',
  'isNumber',
  'isBoolean',
  'isArray',
  'isObject',
  'isDate',
  'isIn',
  'isEmailAddress',
  'isIsoTime',
  'isZonedIsoTime',
  'isRelayHost',
  'isAwsRegion',
  'isTopicArn',
  'isUnsubscribeUrl',
  'isSmsRecipient',
  'matches',
]);

type Dto = new () => object;

describe('Every field of a request', () => {
  let dtos: [string, Dto][];

  beforeAll(async () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.dto.ts'));
    dtos = [];
    for (const file of files) {
      const module = (await import(pathToFileURL(join(SRC, file)).href)) as Record<string, unknown>;
      dtos.push(...(Object.entries(module).filter(([name]) => name.endsWith('Dto')) as [string, Dto][]));
    }
  });

  it('has its type checked first, so that the error names the type', () => {
    const faults = dtos.flatMap(([name, dto]) => {
      const checks = getMetadataStorage()
        .getTargetValidationMetadatas(dto, '', true, false)
        .filter(({ type }) => type !== CONDITION && type !== 'nestedValidation');
      const first = new Map<string, string>();
      for (const { propertyName, name: check = '' } of checks)
        if (!first.has(propertyName)) first.set(propertyName, check);
      return [...first].flatMap(([field, check]) => (SAY_THE_TYPE.has(check) ? [] : [`${name}.${field}: ${check}`]));
    });
    expect(dtos.length).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  });
});
