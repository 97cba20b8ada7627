// Writes src/schema.ts: the types of the operations of openapi.json that a key may call, and of their responses.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

import openapiTS, { astToString } from 'openapi-typescript';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
const { schemas, securitySchemes, headers } = document.components;

const takesKey = ({ security = [] }) => security.some(({ apiKey }) => apiKey !== undefined);
const isSuccess = ([status]) => status.startsWith('2');

const paths = {};
for (const [path, item] of Object.entries(document.paths))
  for (const [method, operation] of Object.entries(item)) {
    if (!takesKey(operation)) continue;
    const responses = Object.fromEntries(Object.entries(operation.responses).filter(isSuccess));
    // The SDK sets the headers.
    const parameters = operation.parameters?.filter((parameter) => parameter.in !== 'header');
    (paths[path] ??= {})[method] = { ...operation, parameters, responses };
  }

const used = {};
function collect(part) {
  JSON.stringify(part, (key, value) => {
    const name = key === '$ref' ? value.split('/').at(-1) : undefined;
    if (name && !used[name]) collect((used[name] = schemas[name]));
    return value;
  });
}
collect(paths);

const filtered = { ...document, paths, components: { schemas: used, securitySchemes, headers } };
const text = astToString(await openapiTS(filtered, { defaultNonNullable: false }));
// Renamed, because others may be reading it.
const file = fileURLToPath(new URL('../src/schema.ts', import.meta.url));
const written = `${file}.${process.pid}`;
writeFileSync(written, `// Generated from openapi.json by \`npm run api-types\`.\n${text}`);
renameSync(written, file);
