import fc from 'fast-check';

import { type Operation, referredTo, type Schema, typeOf } from './api-document.js';

/** A part of a JSON text that is inserted unchanged. */
const raw = (text: string): string => `@@${text}@@`;

/** What JSON cannot say of these values alone (numbers beyond all bounds, doubled fields) is said with `raw`. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(/"@@(.*?)@@"/g, (_, text: string) => JSON.parse(`"${text}"`) as string);

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: [nested(depth - 1)] });

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\uffff\ufeff\u202e',
  '👩‍👩‍👧 ğ İ ß',
  'a\r\nBcc: eve@example.com',
  '\u001b[2J\u007f\u0085\u2028',
  "' OR 1=1; --",
  '%_\\',
  '$1 ?',
  '{{{x}}}{{#a}}',
  '{{> x}}{{=<% %>=}}',
  '=1+1',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'http://[::1',
  'c000000000000000000000000',
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  '999999-01-01T00:00:00Z',
  'NaN',
  '١٢٣',
  'ada@example.com',
  'a@b',
  `${'a'.repeat(300)}@example.com`,
  'x'.repeat(70_000),
] as const;

const NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, -1e21, 1e-7, 1e308, raw('1e400'), raw('-0')] as const;

const OTHERS = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  ['a', 1, null],
  { length: 3 },
  { toString: 1, valueOf: 'x' },
  raw('{"__proto__":{"isAdmin":true}}'),
  raw('{"constructor":{"prototype":{"x":1}},"then":1}'),
  nested(10),
  nested(24),
  nested(40),
  Array.from({ length: 3_000 }, (_, n) => n),
];

/** Bounds of what a field may hold, and what is no value for any field. */
export const HOSTILE_VALUES: readonly unknown[] = [...TEXTS, ...NUMBERS, ...OTHERS];

export const HOSTILE_BODIES: readonly (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '{"a":1,}',
  "{'a':1}",
  'null',
  'true',
  '7',
  '"text"',
  '[]',
  '[{}]',
  '{}',
  '{"":1}',
  '{"a":1,"a":2}',
  '{"__proto__":{"a":1}}',
  '{"constructor":1,"hasOwnProperty":1}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  '\ufeff{}',
  '\u0000',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  '{"a":'.repeat(5_000),
  `{"x":"${'x'.repeat(1_100_000)}"}`,
  `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  Buffer.from('7b2261223a22c328ff227d', 'hex'),
  Buffer.from('fffe7b007d00', 'hex'),
  Buffer.from('1f8b0800', 'hex'),
];

export const HOSTILE_PATH_PARTS: readonly string[] = [
  'c000000000000000000000000',
  'C000000000000000000000000',
  '0',
  '-1',
  'null',
  '%00',
  'a%00b',
  '%20',
  '%',
  '%zz',
  '%ff',
  '%ED%A0%80',
  '%2e%2e',
  '%2e%2e%2fusers',
  '%0d%0aSet-Cookie:%20a=b',
  "'%20OR%201=1--",
  '__proto__',
  'constructor',
  '%F0%9F%91%A9',
  'a;b=c',
  'a,b',
  '*',
  '{id}',
  'x'.repeat(6_000),
];

export const HOSTILE_QUERIES: readonly string[] = [
  '?',
  '&&==',
  '%',
  '%zz=%zz',
  'a=%ff',
  'unknown=1',
  '__proto__[x]=1',
  '__proto__=1',
  'constructor=1',
  'toString=1',
  'a=1&'.repeat(1_200),
  '%00=%00',
  'a[b][c][d][e][f][g]=1',
];

/** `NAME` is the parameter's. */
export const HOSTILE_QUERY_VALUES: readonly string[] = [
  'NAME',
  'NAME=',
  'NAME=%00',
  'NAME=%ED%A0%80',
  'NAME=%zz',
  'NAME=1&NAME=2',
  'NAME[]=1',
  'NAME[a]=1',
  'NAME[__proto__]=1',
  'NAME=0',
  'NAME=-1',
  'NAME=1.5',
  'NAME=1e3',
  'NAME=0x10',
  'NAME=99999999999999999999',
  'NAME=NaN',
  "NAME='%20OR%201=1--",
  'NAME=%25_%5C',
  'NAME=,',
  'NAME=sent,,sent',
  'NAME=2026-02-30',
  'NAME=0000-01-01',
  'NAME=-271821-04-20T00:00:00.000Z',
  'NAME=275760-09-13',
  'NAME=2026-11-01T00:00:00%2B14:00',
  `NAME=${'x'.repeat(3_000)}`,
  'NAME=%F0%9F%91%A9%E2%80%AE',
  'NAME=constructor',
];

export const HOSTILE_HEADERS: readonly Record<string, string>[] = [
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json; charset=nonsense' },
  { 'Content-Type': 'application/json; charset' },
  { 'Content-Type': 'application/problem+json' },
  { 'Content-Type': 'application/x-www-form-urlencoded' },
  { 'Content-Type': 'multipart/form-data' },
  { 'Content-Type': 'multipart/form-data; boundary=x' },
  { 'Content-Type': 'text/csv; charset=latin1' },
  { 'Content-Type': '' },
  { 'Content-Type': '/' },
  { 'Content-Type': 'a'.repeat(4_000) },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'br' },
  { 'Content-Encoding': 'deflate' },
  { 'Content-Encoding': 'nonsense' },
  { 'Content-Encoding': 'gzip, gzip' },
  { Accept: 'application/xml' },
  { Accept: 'nonsense;q=x' },
  { 'Accept-Encoding': '*;q=0' },
  { 'X-Forwarded-For': 'x'.repeat(2_000) },
  { 'X-Forwarded-For': "'; DROP TABLE accounts; --, 1.2.3.4" },
  { 'X-Forwarded-Proto': 'javascript' },
  { 'X-HTTP-Method-Override': 'DELETE' },
  { Authorization: 'Bearer' },
  { Authorization: `Bearer ${'a.'.repeat(1_000)}` },
  { Authorization: 'Basic YTpi' },
  { 'X-API-Key': 'sk_' },
  { 'X-API-Key': 'ÿ'.repeat(500) },
  { Cookie: 'session=x; __proto__=y' },
  { Host: 'evil.example' },
  { 'If-None-Match': '*' },
  { Range: 'bytes=0-0,5-1' },
  { Expect: '100-continue' },
  { 'User-Agent': 'ÿ'.repeat(1_000) },
];

/**
 * A value that the schema describes, from its examples where it has some; the optional fields without one are left out.
 */
export function sampleOf(schema: Schema): unknown {
  const { examples, enum: values, properties = {}, required = [], items, minimum, minLength } = schema;
  const [type, referred] = [typeOf(schema), referredTo(schema)];
  if (referred) return sampleOf(referred);
  if (examples) return examples[0];
  if (values) return values[0];
  if (type === 'array') return items && schema.minItems ? [sampleOf(items)] : [];
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return minimum ?? 1;
  if (type === 'string') return schema.format === 'date-time' ? '2059-01-01T00:00:00.000Z' : 'a'.repeat(minLength ?? 1);
  const wanted = Object.entries(properties).filter(([name, inner]) => required.includes(name) || 'examples' in inner);
  return Object.fromEntries(wanted.map(([name, inner]) => [name, sampleOf(inner)]));
}

/** The paths of all fields, those of inner objects included. */
export function fieldsOf(schema: Schema): string[][] {
  const { properties = {} } = referredTo(schema) ?? schema;
  return Object.entries(properties).flatMap(([name, inner]) => [
    [name],
    ...fieldsOf(inner).map((path) => [name, ...path]),
  ]);
}

/** A copy of the value with the field at `path` replaced. */
export function withField(value: unknown, [name, ...rest]: string[], field: unknown): unknown {
  if (name === undefined) return field;
  const parent = (typeof value === 'object' ? value : null) as Record<string, unknown> | null;
  return { ...parent, [name]: withField(parent?.[name], rest, field) };
}

const anyText = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);

const anyValue = fc.oneof(
  fc.constantFrom(...HOSTILE_VALUES),
  anyText,
  fc.double(),
  fc.maxSafeInteger(),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Values of the schema, most of them within its bounds. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  const { enum: values, properties, items, minimum = 0, maximum = 1e6, minLength = 0 } = schema;
  const [type, referred] = [typeOf(schema), referredTo(schema)];
  if (referred) return valueOf(referred);
  const sample = fc.constant(sampleOf(schema));
  if (values) return fc.constantFrom(...values);
  if (type === 'array') return items ? fc.array(valueOf(items), { maxLength: 4 }) : sample;
  if (type === 'boolean') return fc.boolean();
  if (type === 'number' || type === 'integer')
    return fc.oneof(
      fc.integer({ min: Math.ceil(minimum), max: maximum }),
      fc.constantFrom(minimum, maximum, maximum + 1),
    );
  if (type === 'string') {
    const { maxLength = 2_000 } = schema;
    const atTheBound = fc.constantFrom(minLength, maxLength, maxLength + 1).map((length) => 'a'.repeat(length));
    return fc.oneof({ weight: 4, arbitrary: sample }, atTheBound, anyText);
  }
  return properties ? objectOf(properties) : fc.jsonValue({ maxDepth: 6 });
}

function objectOf(properties: Record<string, Schema>): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, inner]) => {
    const value = fc.oneof({ weight: 12, arbitrary: valueOf(inner) }, { weight: 1, arbitrary: anyValue });
    return [name, fc.option(value, { freq: 4, nil: undefined })] as const;
  });
  const known = fc.record(Object.fromEntries(fields));
  const unknown = fc.dictionary(anyText, anyValue, { maxKeys: 2 });
  return fc.oneof(
    { weight: 9, arbitrary: known },
    fc.tuple(known, unknown).map(([one, other]) => ({ ...other, ...one })),
  );
}

/** Arbitraries for the free parts of a request. */
export interface HostileRequest {
  caller: string;
  pathPart: string | null;
  query: string;
  body: string | Buffer | undefined;
  headers: Record<string, string>;
}

/** A text as it is, anything else as JSON. */
const queryText = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : toJson(value)).toWellFormed()).replaceAll("'", '%27');

/** Requests of this operation, from almost right to nonsense. A null for the path is an id that exists. */
export function requestsOf({ parameters, body }: Operation, callers: readonly string[]): fc.Arbitrary<HostileRequest> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const oneQuery = inQuery.map(({ name, schema }) => {
    const value = fc.oneof(valueOf(schema), anyText).map((value) => `${name}=${queryText(value).slice(0, 4_000)}`);
    const nonsense = fc.constantFrom(...HOSTILE_QUERY_VALUES).map((text) => text.replaceAll('NAME', name));
    return fc.oneof({ weight: 2, arbitrary: value }, nonsense);
  });
  const parts = oneQuery.map((query) => fc.option(query, { nil: '' }));
  const query = fc
    .tuple(fc.tuple(...parts), fc.oneof({ weight: 9, arbitrary: fc.constant('') }, fc.constantFrom(...HOSTILE_QUERIES)))
    .map(([known, more]) => [...known, more].filter((part) => part !== '').join('&'));
  const json = body ? fc.oneof({ weight: 9, arbitrary: valueOf(body.schema) }, anyValue).map(toJson) : anyText;
  return fc.record({
    caller: fc.constantFrom(...callers),
    pathPart: fc.oneof(fc.constant(null), fc.constantFrom(...HOSTILE_PATH_PARTS), anyText.map(queryText)),
    query,
    body: fc.oneof(
      { weight: body ? 12 : 1, arbitrary: json },
      { weight: body ? 1 : 12, arbitrary: fc.constant(undefined) },
      fc.constantFrom(...HOSTILE_BODIES),
    ),
    headers: fc.oneof({ weight: 12, arbitrary: fc.constant({}) }, fc.constantFrom(...HOSTILE_HEADERS)),
  });
}
