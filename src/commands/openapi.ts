import { readFile, writeFile } from 'node:fs/promises';

import { NestFactory } from '@nestjs/core';

import { AppModule } from '../app.module.js';
import { readEnvironment } from '../config/env.js';
import { describeApi } from '../platform/http/openapi.js';
import { withErrorTable } from './error-table.js';

const ERRORS_PAGE = 'docs/errors.md';

/**
 * Writes the OpenAPI document to a file, and the table of error codes into the page about them, or with `--check` fails
 * if one of the two differs.
 */
async function main(args: string[]): Promise<void> {
  const file = args.find((arg) => !arg.startsWith('--'));
  if (file === undefined) throw new Error('Name the file: node dist/src/commands/openapi.js [--check] openapi.json');
  const store = args.includes('--check') ? requireSame : writeFile;
  const environment = readEnvironment({});
  const config = { ...environment, baseUrl: '', databaseUrl: '', appSecret: '', mailFrom: '', maxRequestsInFlight: 0 };
  // Connects to nothing: in preview mode Nest does not instantiate the classes.
  const app = await NestFactory.create(AppModule.register(config), { preview: true, logger: ['error'] });
  await store(file, `${JSON.stringify(describeApi(app, config.brand), null, 2)}\n`);
  await store(ERRORS_PAGE, withErrorTable(await readFile(ERRORS_PAGE, 'utf8')));
}

async function requireSame(file: string, content: string): Promise<void> {
  if ((await readFile(file, 'utf8')) !== content) throw new Error(`${file} is out of date: run npm run openapi`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
