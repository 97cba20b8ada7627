import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const MB = 1_048_576;
/** The memory for large bodies of one account; see BodyMemory. */
const ACCOUNT_BYTES = 2 * (Math.ceil((10 * MB * 4) / 3) + MB);

describe('Bodies above 1 MB', () => {
  let service: TestService;
  let account: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    other = await service.createAccount();
  });
  afterAll(() => service.stop());

  const headers = (of = account) => ({
    authorization: `Bearer ${of.adminToken}`,
    'content-type': 'application/json',
  });
  const post = async (path: string, body: string | ReadableStream, of = account) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: headers(of),
      body,
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    });

  /** A request whose body of that length begins and does not end. */
  function begin(path: string, length: number): ClientRequest {
    const options = { method: 'POST', headers: { ...headers(), 'content-length': length } };
    const pending = request(`${service.url}${path}`, options);
    pending.on('error', () => undefined);
    pending.write('{');
    return pending;
  }

  const padded = (fields: object, bytes: number) => JSON.stringify(fields).padEnd(bytes);
  const ROUTES: [string, number, object, number][] = [
    ['/api/contacts/import', 10 * MB, { contacts: [{ email: 'ada@example.com' }] }, 200],
    ['/api/templates', 4 * MB, { name: 'Hello', subject: 'Hello', text: 'Hello' }, 201],
    ['/api/templates/preview', 4 * MB, { subject: 'Hello', text: 'Hello' }, 200],
    ['/api/campaigns', 4 * MB, { name: 'Hello', fromEmail: 'shop@example.com', subject: 'Hello', text: 'Hello' }, 201],
  ];

  it.each(ROUTES)(
    'of %s share the memory of the account, and leave memory to others',
    async (path, bytes, fields, done) => {
      const refused: IncomingMessage[] = [];
      const pending = Array.from({ length: Math.floor(ACCOUNT_BYTES / bytes) + 1 }, () => begin(path, bytes));
      for (const one of pending) one.on('response', (answer) => refused.push(answer));
      await waitFor('a refusal', () => refused.length === 1);
      expect(refused[0]).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
      expect((await post(path, JSON.stringify(fields))).status).toBe(done);
      expect((await post(path, padded(fields, bytes), other)).status).toBe(done);
      for (const one of pending) one.destroy();
      await waitFor('free memory', async () => (await post(path, padded(fields, 1.1 * MB))).status === done);
    },
  );

  it('need a length, and must not be compressed', async () => {
    const body = padded({ contacts: [] }, 2 * MB);
    const stream = await post('/api/contacts/import', new Blob([body]).stream());
    expect(await stream.json()).toEqual(errorBody(411, 'A body larger than 1 MB needs the header Content-Length'));
    const gzip = (bytes: Buffer) =>
      fetch(`${service.url}/api/contacts/import`, {
        method: 'POST',
        headers: { ...headers(), 'content-encoding': 'gzip' },
        body: new Uint8Array(bytes),
      });
    const long = await gzip(gzipSync(body, { level: 0 }));
    expect(await long.json()).toEqual(errorBody(415, 'A body larger than 1 MB must not be compressed'));
    const bomb = await gzip(gzipSync(body));
    expect(await bomb.json()).toEqual(errorBody(413, 'The body is larger than 1 MB'));
  });
});
