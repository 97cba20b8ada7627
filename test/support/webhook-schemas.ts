import { readdirSync, readFileSync } from 'node:fs';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const FOLDER = new URL('../../docs/schemas/webhooks/', import.meta.url);

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false });

const SUFFIX = '.schema.json';

export const DESCRIBED_EVENTS = readdirSync(FOLDER).map((file) => file.slice(0, -SUFFIX.length));

/** The published schemas by event name, compiled on first use. */
const validators = new Map<string, ValidateFunction>();

interface ObjectSchema {
  properties: Record<string, object> & { data?: object };
}

/** Throws if the body of a webhook does not match its published schema. */
export function requireDescribed(body: string): void {
  const payload = JSON.parse(body) as { event: string };
  const validate = validatorOf(payload.event);
  if (!validate(payload)) throw new Error(`Not as its schema says: ${ajv.errorsText(validate.errors)} in ${body}`);
}

/** The published schema, but what it does not describe is refused. */
function validatorOf(event: string): ValidateFunction {
  if (!DESCRIBED_EVENTS.includes(event)) throw new Error(`There is no schema for the event ${event}`);
  const known = validators.get(event);
  if (known) return known;
  const validate = ajv.compile(
    closed(JSON.parse(readFileSync(new URL(event + SUFFIX, FOLDER), 'utf8')) as ObjectSchema),
  );
  validators.set(event, validate);
  return validate;
}

function closed({ properties, ...schema }: ObjectSchema): object {
  const { data, ...others } = properties;
  return {
    ...schema,
    additionalProperties: false,
    properties: { ...others, data: { ...data, additionalProperties: false } },
  };
}
