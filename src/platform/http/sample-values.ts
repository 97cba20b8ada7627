import { isRecord } from '../../shared/is-record.js';

type Json = Record<string, unknown>;

const ID = 'c0mk3v9p0x7f2k9d1q8z5w4ab';
const TIME = '2026-11-01T09:30:00.000Z';
const PAGE_SIZE = 25;
/** Nullable fields whose examples describe a failure: they are null in the example of a success. */
const NULL_WITHOUT_FAULT = new Set(['error', 'disabledReason', 'detail']);

/** Examples of the bodies that schemas describe, from the examples of their fields. */
export class SampleValues {
  constructor(private readonly schemas: Record<string, Json>) {}

  /** The fields that have an example. A body whose fields exclude each other declares its own example. */
  ofRequest(schema: Json): Json {
    const { properties = {} } = this.resolve(schema);
    return Object.fromEntries(
      Object.entries(properties as Record<string, Json>).flatMap(([name, { examples }]) =>
        Array.isArray(examples) ? [[name, examples[0] as unknown]] : [],
      ),
    );
  }

  /** The required fields, and the others that have an example. A nullable field without an example is null. */
  ofResponse(schema: Json, name = ''): unknown {
    const { examples, enum: values, type, items, properties, required = [], format, minimum } = this.resolve(schema);
    const [kind] = Array.isArray(type) ? (type as unknown[]) : [type];
    if (isNullable(schema) && (!examples || NULL_WITHOUT_FAULT.has(name))) return null;
    if (Array.isArray(examples)) return examples[0];
    if (Array.isArray(values)) return values[0];
    if (kind === 'array') return [this.ofResponse(items as Json, name.replace(/s$/, ''))];
    if (isRecord(properties)) {
      const shown = Object.entries(properties as Record<string, Json>).filter(
        ([field, inner]) => (required as string[]).includes(field) || inner.examples !== undefined,
      );
      return Object.fromEntries(shown.map(([field, inner]) => [field, this.ofResponse(inner, field)]));
    }
    if (kind === 'object') return {};
    if (kind === 'boolean') return true;
    if (name === 'pageSize') return PAGE_SIZE;
    if (kind === 'integer' || kind === 'number') return minimum ?? 1;
    if (format === 'date-time') return TIME;
    return /^id$|Id$/.test(name) ? ID : name;
  }

  /** The schema merged with the schemas that it refers to. */
  private resolve({ $ref, allOf, anyOf, ...schema }: Json): Json {
    const others = [...((allOf ?? []) as Json[]), ...((anyOf ?? []) as Json[]).slice(0, 1)];
    if (typeof $ref === 'string') others.push(this.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
    return Object.assign({}, ...others.map((other) => this.resolve(other)), schema) as Json;
  }
}

const isNullable = ({ type, anyOf }: Json): boolean =>
  (Array.isArray(type) && type.includes('null')) ||
  (Array.isArray(anyOf) && anyOf.some((schema) => isRecord(schema) && schema.type === 'null'));
