import { readdirSync, readFileSync } from 'node:fs';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const FOLDER = new URL('../../docs/schemas/webhooks/', import.meta.url);

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false });

/** The published schemas by event name, made strict: undescribed fields are refused. */
const VALIDATORS: ReadonlyMap<string, ValidateFunction> = new Map(
  readdirSync(FOLDER).map((file) => {
    const schema = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as ObjectSchema;
    return [file.replace(/\.schema\.json$/, ''), ajv.compile(closed(schema))];
  }),
);

interface ObjectSchema {
  properties: Record<string, object> & { data?: object };
}

export const DESCRIBED_EVENTS = [...VALIDATORS.keys()];

/** Throws if the body of a webhook does not match its published schema. */
export function requireDescribed(body: string): void {
  const payload = JSON.parse(body) as { event: string };
  const validate = VALIDATORS.get(payload.event);
  if (!validate) throw new Error(`There is no schema for the event ${payload.event}`);
  if (!validate(payload)) throw new Error(`Not as its schema says: ${ajv.errorsText(validate.errors)} in ${body}`);
}

function closed({ properties, ...schema }: ObjectSchema): object {
  const { data, ...others } = properties;
  return {
    ...schema,
    additionalProperties: false,
    properties: { ...others, data: { ...data, additionalProperties: false } },
  };
}
