import type request from 'supertest';

import { RunImports } from '../../src/modules/imports/application/run-imports.service.js';
import type { TestAccount } from './account.js';
import type { TestService } from './service.js';

export const MAPPING = { email: 'email', firstName: 'first', tags: 'tags', status: 'status' };

/** Uploads a file as a browser does. */
export function upload(
  account: TestAccount,
  file: string | Buffer,
  fields: { mapping?: object | string; dryRun?: string; listId?: string } = {},
): request.Test {
  const { mapping = { email: 'email' }, ...others } = fields;
  let test = account.asAdmin('post', '/api/contacts/import/csv');
  for (const [name, value] of Object.entries(others)) test = test.field(name, value);
  return test
    .attach('file', Buffer.from(file), 'contacts.csv')
    .field('mapping', typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
}

/** Uploads a file, runs the import and returns the report. */
export async function importCsv(
  service: TestService,
  account: TestAccount,
  file: string | Buffer,
  fields: Parameters<typeof upload>[2] = {},
): Promise<Record<string, unknown>> {
  const { body } = await upload(account, file, fields).expect(202);
  await service.app.get(RunImports, { strict: false }).run(account.id, new AbortController().signal);
  return (await account.asMember('get', `/api/imports/${body.id}`).expect(200)).body;
}
