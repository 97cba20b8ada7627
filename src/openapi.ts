import { readFile, writeFile } from 'node:fs/promises';

import { NestFactory } from '@nestjs/core';

import { AppModule } from './app.module.js';
import { readEnvironment } from './config/env.js';
import { describeApi } from './platform/http/openapi.js';

/** Writes the OpenAPI document to a file, or with `--check` fails if the file differs. */
async function main(args: string[]): Promise<void> {
  const file = args.find((arg) => !arg.startsWith('--'));
  if (file === undefined) throw new Error('Name the file: node dist/src/openapi.js [--check] openapi.json');
  const environment = readEnvironment({});
  const config = { ...environment, baseUrl: '', databaseUrl: '', appSecret: '', mailFrom: '', maxRequestsInFlight: 0 };
  // Connects to nothing: in preview mode Nest does not instantiate the classes.
  const app = await NestFactory.create(AppModule.register(config), { preview: true, logger: ['error'] });
  const document = `${JSON.stringify(describeApi(app), null, 2)}\n`;
  if (!args.includes('--check')) await writeFile(file, document);
  else if ((await readFile(file, 'utf8')) !== document) throw new Error(`${file} is out of date: run npm run openapi`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
