import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import type { Field, SettingsForm } from '../src/pages/settings/settings-fields';

const ROOT = resolve(import.meta.dirname, '../..');
const PROVIDERS = join(ROOT, 'src/providers');

interface Schema {
  type?: string | string[];
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
}

const { schemas } = (
  JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
    components: { schemas: Record<string, { properties: Record<string, Schema> }> };
  }
).components;

const languages = readdirSync(join(ROOT, 'dashboard/src/texts'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const forms = readdirSync(PROVIDERS).flatMap((name) => {
  const file = join(PROVIDERS, name, 'settings-form.json');
  return existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8')) as SettingsForm] : [];
});
const sections = [...new Set(forms.map(({ section }) => section))];

/** Properties of a section that belong to another form because they are independent of the provider. */
const OF_OTHER_FORMS: Record<string, readonly string[]> = { sms: ['quietHours', 'stopWords'] };

const propertiesOf = (name: string, within: string | undefined): Record<string, Schema> => {
  const { properties } = schemas[name]!;
  const inner = within && JSON.stringify(properties[within]).match(/schemas\/(\w+)/)?.[1];
  return inner ? propertiesOf(inner, undefined) : properties;
};
const schemaName = (section: string, suffix: string) =>
  `${section[0]!.toUpperCase()}${section.slice(1)}Settings${suffix}`;

function kindOf({ type = [], enum: values }: Schema): Field['kind'] {
  const types = [type].flat();
  if (values) return 'choice';
  if (types.includes('boolean')) return 'switch';
  return types.includes('number') || types.includes('integer') ? 'number' : 'text';
}

/** The texts of a form that are translated. */
const textsIn = (value: unknown): Record<string, string>[] => {
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value) return [value as Record<string, string>];
  return Object.values(value).flatMap(textsIn);
};

describe('The settings forms of the providers', () => {
  it('are of all sections, and in all languages', () => {
    expect(sections.sort()).toEqual(['ses', 'sms', 'smtp']);
    for (const text of textsIn(forms)) expect(Object.keys(text).sort()).toEqual([...languages].sort());
  });

  it.each(sections)('of the section "%s" describe each setting that the API takes, as it takes it', (section) => {
    const own = forms.filter((form) => form.section === section);
    const outer = own.filter(({ within }) => within === undefined).flatMap(({ fields }) => fields);
    const inner = own.flatMap(({ within }) => within ?? []);
    const chosen = own.filter(({ provider }) => provider !== undefined).length > 1 ? ['provider'] : [];
    const names = [...outer.map(({ name }) => name), ...inner, ...chosen, ...(OF_OTHER_FORMS[section] ?? [])];
    expect(names.sort()).toEqual(Object.keys(schemas[schemaName(section, 'Dto')]!.properties).sort());
    for (const { within, fields } of own) {
      const taken = propertiesOf(schemaName(section, 'Dto'), within);
      const shown = propertiesOf(schemaName(section, 'Response'), within);
      for (const field of fields) {
        const schema = taken[field.name]!;
        const isSecret = !(field.name in shown);
        expect({ name: field.name, kind: field.kind }).toEqual({
          ...{ name: field.name, kind: isSecret ? 'secret' : kindOf(schema) },
        });
        if (isSecret) expect(shown).toHaveProperty(`${field.name}Set`);
        if (field.kind === 'number') expect(field).toMatchObject({ min: schema.minimum, max: schema.maximum });
        if (field.kind === 'choice') expect(field.options.map(({ value }) => value)).toEqual(schema.enum);
        if (field.kind === 'text' && field.suggestions) expect(shown).toHaveProperty(field.suggestions);
        if (field.kind === 'secret') {
          const related = [...(field.sentWith ?? []), field.keptFor ?? [], field.neededBy ?? []].flat();
          expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(related));
          expect(field.keptFor === undefined).toBe(field.lost === undefined);
        }
      }
    }
  });
});
