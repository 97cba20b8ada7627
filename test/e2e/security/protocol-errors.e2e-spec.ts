import type { Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { API_VERSION } from '../../../src/platform/http/version.js';
import { errorBody } from '../../support/errors.js';
import { PipeliningClient } from '../../support/pipelining.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const NOT_HTTP = 'The request is not valid HTTP/1.1';
const chunked = (body: string) =>
  `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;

describe('A request that is refused before routing', () => {
  let service: TestService;
  let client: PipeliningClient;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', BRAND: 'Acme' });
  });
  afterEach(() => {
    client.socket.destroy();
  });
  afterAll(() => service.stop());

  const open = async () => (client = await PipeliningClient.connect(service.url));

  /** The responses that arrived whole. */
  const responses = () =>
    client.received
      .split(/(?=HTTP\/1\.1 \d{3} )/)
      .filter((text) => text !== '')
      .map((text) => {
        const [head = '', body = ''] = text.split('\r\n\r\n');
        const [statusLine = '', ...lines] = head.split('\r\n');
        const headers = Object.fromEntries(
          lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
        );
        return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) as unknown };
      });

  const usual = (status: number, message: string) => ({
    status,
    headers: expect.objectContaining({
      'content-type': 'application/json; charset=utf-8',
      'x-acme-version': API_VERSION,
      'x-content-type-options': 'nosniff',
    }) as unknown,
    body: errorBody(status, message),
  });

  it.each([
    ['that is no HTTP', 400, NOT_HTTP, 'nonsense\r\n\r\n'],
    ['with a malformed header', 400, NOT_HTTP, 'GET /api/users HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n'],
    ['with a malformed body', 400, NOT_HTTP, chunked('xyz\r\n')],
    [
      'with two lengths',
      ...([400, NOT_HTTP] as const),
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'with too large headers',
      ...([431, 'The request line and headers are larger than 16 kB'] as const),
      `GET /api/users HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
    ],
    [
      'with too large chunk extensions',
      ...([413, 'The chunk extensions are too large'] as const),
      chunked(`2;${'x'.repeat(17_000)}\r\n{}\r\n0\r\n\r\n`),
    ],
  ] as const)('gets an error of the usual form: %s, %i', async (_, status, message, text) => {
    await open();
    await client.write(text);
    await waitFor('the connection to be closed', () => client.isClosed);
    expect(responses()).toEqual([usual(status, message)]);
  });

  it.each([
    ['with an unknown expectation', 417, 'The header Expect can only be 100-continue', 'Host: x\r\nExpect: miracles'],
    ['without the header Host', 400, 'The header Host is missing', 'Accept: */*'],
  ])('gets an error of the usual form and keeps the connection: %s, %i', async (_, status, message, headers) => {
    await open();
    await client.write(`GET /api/users HTTP/1.1\r\n${headers}\r\n\r\nGET /api/nope HTTP/1.1\r\nHost: x\r\n\r\n`);
    await waitFor('both responses', () => client.statuses.length === 2 && client.received.endsWith('}'));
    expect(responses()).toEqual([usual(status, message), usual(404, 'Cannot GET /api/nope')]);
  });

  it('gets an error of the usual form if it takes too long, 408', async () => {
    const server = service.app.getHttpServer();
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    await open();
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), await accepted);
    await waitFor('the connection to be closed', () => client.isClosed);
    expect(responses()).toEqual([usual(408, 'The request was not received in time')]);
  });

  it('does not write into a response that has begun', async () => {
    const server = service.app.getHttpServer();
    server.once('request', (_, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{');
    });
    await open();
    await client.write(chunked(''));
    await waitFor('the begin of the response', () => client.received.endsWith('{'));
    await client.write('xyz\r\n');
    await waitFor('the connection to be closed', () => client.isClosed);
    expect(client.statuses).toEqual([200]);
  });

  it('still gets 100 Continue', async () => {
    await open();
    await client.write(
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n',
    );
    await waitFor('100 Continue', () => client.received.startsWith('HTTP/1.1 100 Continue'));
    await client.write('{}');
    await waitFor('the response', () => client.statuses.length === 2);
    expect(client.statuses).toEqual([100, 400]);
  });
});
