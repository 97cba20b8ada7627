import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { MAX_WEBHOOK_ORIGINS, POSTS_PER_ORIGIN } from '../../../src/config/limits.js';
import { SafeWebhookClient } from '../../../src/modules/webhooks/infrastructure/safe-webhook-client.js';
import { selfSignedCertificate } from '../../support/fake-aws/certificate.js';
import { WAIT_LIMIT_MS, waitFor } from '../../support/wait-for.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const POST_SAFELY = fileURLToPath(new URL('../../support/post-safely.mjs', import.meta.url));
/** A public address, in a part of the range that was never assigned. */
const NOBODY = '2000::1';
const EMPTY = { lane: 'a', headers: () => ({}), body: '', timeoutMs: WAIT_LIMIT_MS };
const LOOPBACK = () => Promise.resolve(['127.0.0.1']);

describe('SafeWebhookClient', () => {
  let receiver: WebhookReceiver;
  let client: SafeWebhookClient;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });

  beforeEach(() => {
    client = new SafeWebhookClient({ allowPrivate: true, lookup: LOOPBACK });
  });

  afterEach(async () => {
    await client.onApplicationShutdown();
    await receiver.reset();
  });

  afterAll(() => receiver.stop());

  const post = (path: string, { from = client, timeoutMs = WAIT_LIMIT_MS, host = '127.0.0.1', lane = 'a' } = {}) =>
    from.post({
      url: `http://${host}:${receiver.port}${path}`,
      lane,
      headers: () => ({ 'content-type': 'application/json', 'x-one': '1' }),
      body: '{"ü":1}',
      timeoutMs,
    });

  it('posts the bytes and headers it is given, and asks for no compression', async () => {
    await receiver.answer('/in', { status: 202, body: 'täken', headers: { 'retry-after': '120' } });
    expect(await post('/in?a=b')).toEqual({
      statusCode: 202,
      retryAfter: '120',
      headers: expect.objectContaining({ 'retry-after': '120', connection: 'keep-alive' }),
      body: 'täken',
    });
    const [{ headers, ...got }] = (await receiver.received()) as [Awaited<ReturnType<typeof receiver.received>>[0]];
    expect(got).toMatchObject({ method: 'POST', path: '/in?a=b', body: '{"ü":1}' });
    expect(headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': '8',
      'x-one': '1',
    });
  });

  it.each([200, 204, 301, 302, 307, 400, 410, 429, 500, 503])('returns the status %i unchanged', async (status) => {
    await receiver.answer('/in', status);
    expect(await post('/in')).toMatchObject({ statusCode: status, retryAfter: null, body: '' });
  });

  it('does not follow a redirect into the network', async () => {
    await receiver.answer('/in', 'redirect');
    expect(await post('/in')).toMatchObject({ statusCode: 302 });
    expect(await receiver.received('/redirected')).toEqual([]);
  });

  describe('where private networks are not allowed', () => {
    const guarded = (lookup = LOOPBACK) => new SafeWebhookClient({ allowPrivate: false, lookup });
    const refused = { reason: 'refused_address' };

    it.each(['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', 'localhost.', '127.0.0.1.'])(
      'opens no connection to %s',
      async (host) => {
        await expect(post('/in', { from: guarded(), host })).rejects.toMatchObject(refused);
        expect(await receiver.connections()).toMatchObject({ opened: 0 });
      },
    );

    it('opens no connection to a name that resolves to this machine, among other addresses or not', async () => {
      const message = expect.stringMatching(
        /otherwise reserved address, which needs WEBHOOK_ALLOW_PRIVATE_NETWORKS=true$/,
      );
      for (const addresses of [['127.0.0.1'], [NOBODY, '127.0.0.1'], ['::ffff:127.0.0.1']]) {
        const from = guarded(() => Promise.resolve(addresses));
        const posting = post('/in', { from, host: 'hooks.example.com' });
        await expect(posting).rejects.toMatchObject({ ...refused, message });
      }
      expect(await receiver.connections()).toMatchObject({ opened: 0 });
    });

    it('ignores what a name resolves to a second time', async () => {
      const answers = [[NOBODY], ['127.0.0.1']];
      const from = guarded(() => Promise.resolve(answers.shift() ?? []));
      const rebound = { from, host: 'rebind.example.com' };
      const reason = expect.stringMatching(/^(network|timeout)$/);
      await expect(post('/in', { ...rebound, timeoutMs: 300 })).rejects.toMatchObject({ reason });
      await expect(post('/in', rebound)).rejects.toMatchObject(refused);
      expect(await receiver.connections()).toMatchObject({ opened: 0 });
    });
  });

  it('connects to what it checked: a name is resolved once for a connection', async () => {
    const lookup = jest.fn(LOOPBACK);
    const from = new SafeWebhookClient({ allowPrivate: true, lookup });
    for (let i = 0; i < 10; i++) await post('/in', { from, host: 'hooks.example.com' });
    const { opened } = await receiver.connections();
    expect(opened).toBeLessThan(5);
    expect(lookup.mock.calls).toEqual(Array(opened).fill(['hooks.example.com']));
    await from.onApplicationShutdown();
  });

  it.each(['hang', 'drip', 'drip_headers'] as const)(
    'gives up a receiver that does %s, and hangs up',
    async (answer) => {
      await receiver.answer('/in', answer);
      await expect(post('/in', { timeoutMs: 1_500 })).rejects.toMatchObject({
        reason: 'timeout',
        message: 'No complete answer within 1.5 seconds',
      });
      await waitFor('the connection to be cut', async () => (await receiver.received()).every(({ wasCut }) => wasCut));
    },
  );

  it('gives up on a host that accepts no connection', async () => {
    const silent = new SafeWebhookClient({ allowPrivate: true, lookup: () => new Promise(() => undefined) });
    await expect(post('/in', { from: silent, host: 'hooks.example.com', timeoutMs: 300 })).rejects.toMatchObject({
      reason: 'timeout',
    });
    await silent.onApplicationShutdown();
  });

  it.each(['drop', 'drop_midway'] as const)('reports a connection that is cut: %s', async (answer) => {
    await receiver.answer('/in', answer);
    await expect(post('/in')).rejects.toMatchObject({
      reason: 'network',
      message: 'The connection was closed before the answer was complete',
    });
  });

  it('returns the status of an endless response, keeps a kilobyte of it and disconnects', async () => {
    await receiver.answer('/in', 'endless');
    expect(await post('/in')).toMatchObject({ statusCode: 200, body: 'x'.repeat(1_024) });
    await waitFor('the connection to be cut', async () => (await receiver.received()).every(({ wasCut }) => wasCut));
    await waitFor('no connection to be open', async () => (await receiver.connections()).open === 0);
  });

  it('refuses headers without a size limit', async () => {
    await receiver.answer('/in', 'large_headers');
    await expect(post('/in')).rejects.toMatchObject({ reason: 'response_too_large' });
  });

  it('reports a port without a listener, and a name that does not resolve', async () => {
    const closed = await WebhookReceiver.start();
    await closed.stop();
    await expect(client.post({ ...EMPTY, url: closed.url() })).rejects.toMatchObject({
      reason: 'network',
      message: 'The host refused the connection',
    });
    const from = new SafeWebhookClient({ allowPrivate: false });
    await expect(from.post({ ...EMPTY, url: 'http://no-such-host.invalid/' })).rejects.toMatchObject({
      reason: 'network',
      message: expect.stringMatching(/^The (host name does not resolve|name servers of the host do not answer)$/),
    });
  });

  it('opens a limited number of connections for one lane and reuses them', async () => {
    await receiver.answer('/in', { status: 200, isHeld: true });
    const count = POSTS_PER_ORIGIN + 10;
    const posts = Array.from({ length: count }, () => post('/in'));
    await receiver.waitForPosts(POSTS_PER_ORIGIN);
    await receiver.release('/in');
    await Promise.all(posts);
    expect(await receiver.connections()).toMatchObject({ opened: POSTS_PER_ORIGIN });
    expect(await receiver.received()).toHaveLength(count);
  });

  it('does not wait for hanging posts of another lane', async () => {
    await receiver.answer('/hang', { status: 200, isHeld: true });
    const hanging = Array.from({ length: POSTS_PER_ORIGIN + 1 }, () => post('/hang', { lane: 'b' }));
    await receiver.waitForPosts(POSTS_PER_ORIGIN, '/hang');
    expect(await post('/in')).toMatchObject({ statusCode: 200 });
    expect(await receiver.received('/hang')).toHaveLength(POSTS_PER_ORIGIN);
    await receiver.release('/hang');
    await Promise.all(hanging);
  });

  it('counts the wait for a connection, signs after it, and frees the permits of failed posts', async () => {
    await receiver.answer('/hang', 'hang');
    const hanging = Array.from({ length: POSTS_PER_ORIGIN }, () => post('/hang', { timeoutMs: 600 }));
    const headers = jest.fn(() => ({}));
    const request = { url: receiver.url('/in'), lane: 'a', headers, body: '' };
    const tooLate = client.post({ ...request, timeoutMs: 200 });
    const inTime = client.post({ ...request, timeoutMs: WAIT_LIMIT_MS });
    await expect(tooLate).rejects.toMatchObject({ reason: 'timeout' });
    expect(headers).not.toHaveBeenCalled();
    await Promise.allSettled(hanging);
    expect(await inTime).toMatchObject({ statusCode: 200 });
    expect(headers).toHaveBeenCalledTimes(1);
    expect(await receiver.received('/in')).toHaveLength(1);
  });

  it('keeps the permits of posts that were aborted while connecting', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/in`;
    const wave = () =>
      Promise.allSettled(
        Array.from({ length: POSTS_PER_ORIGIN }, () => client.post({ ...EMPTY, url, timeoutMs: 500 })),
      );
    for (const results of [await wave(), await wave()])
      expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    await waitFor('all connections', () => sockets.length >= POSTS_PER_ORIGIN);
    expect(sockets).toHaveLength(POSTS_PER_ORIGIN);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('keeps connections to a limited number of origins, and loses no post when it closes one', async () => {
    const origins = MAX_WEBHOOK_ORIGINS + 10;
    const posts = Array.from({ length: origins }, (_, i) => post('/in', { host: `h${i}.example.com` }));
    expect((await Promise.all(posts)).map(({ statusCode }) => statusCode)).toEqual(Array(origins).fill(200));
    await waitFor('some to be closed', async () => (await receiver.connections()).open <= MAX_WEBHOOK_ORIGINS);
  });

  it('finishes posts before it closes', async () => {
    await receiver.answer('/in', { status: 200, isHeld: true });
    const posting = post('/in');
    await receiver.waitForPosts(1);
    const closing = client.onApplicationShutdown();
    expect(await receiver.connections()).toEqual({ opened: 1, open: 1 });
    await receiver.release('/in');
    await closing;
    await expect(posting).resolves.toMatchObject({ statusCode: 200 });
    await waitFor('the connection to be closed', async () => (await receiver.connections()).open === 0);
  });

  describe('over TLS', () => {
    let secure: WebhookReceiver;
    let directory: string;

    beforeAll(async () => {
      const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const validity = { notBefore: new Date('2020-01-01'), notAfter: new Date('2099-01-01') };
      const cert = selfSignedCertificate(keys, 'hooks.example.com', validity);
      const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      secure = await WebhookReceiver.start({ tls: { key, cert } });
      directory = await mkdtemp(join(tmpdir(), 'certificate-'));
      await writeFile(join(directory, 'certificate.pem'), cert);
    });

    afterAll(async () => {
      await secure.stop();
      await rm(directory, { recursive: true });
    });

    const postTrusting = async (host: string): Promise<unknown> => {
      const env = { ...process.env, NODE_OPTIONS: '', NODE_EXTRA_CA_CERTS: join(directory, 'certificate.pem') };
      const args = [POST_SAFELY, `https://${host}:${secure.port}/in`];
      return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
    };

    it('refuses a certificate of an unknown authority', async () => {
      const url = `https://hooks.example.com:${secure.port}/`;
      const message = expect.stringMatching(/^The certificate of the host is not valid \([A-Z_]+\)$/);
      await expect(client.post({ ...EMPTY, url })).rejects.toMatchObject({ reason: 'network', message });
      expect(await secure.received()).toEqual([]);
    });

    it('accepts a trusted certificate of the host', async () => {
      expect(await postTrusting('hooks.example.com')).toMatchObject({ statusCode: 200, body: 'ok' });
      expect(await postTrusting('other.example.com')).toEqual({
        reason: 'network',
        message: 'The certificate of the host is not valid (ERR_TLS_CERT_ALTNAME_INVALID)',
      });
    });

    it('reports a host that does not speak TLS', async () => {
      const posting = client.post({ ...EMPTY, url: `https://hooks.example.com:${receiver.port}/` });
      const message = 'The host does not speak TLS as it should';
      await expect(posting).rejects.toMatchObject({ reason: 'network', message });
    });
  });

  describe('with a server that sends far more than a response', () => {
    const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

    /** Answers each request with these bytes. */
    async function withServer<T>(answer: string, work: (port: number) => Promise<T>): Promise<T> {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.on('data', () => socket.write(answer));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        return await work((server.address() as AddressInfo).port);
      } finally {
        server.close();
      }
    }
    const postTo = (port: number) => client.post({ ...EMPTY, url: `http://127.0.0.1:${port}/` });

    it('reads the response after a few informational ones', async () => {
      expect(await withServer(HINT.repeat(10) + OK, postTo)).toMatchObject({ statusCode: 200, body: 'ok' });
    });

    it('gives up after more of them', async () => {
      await expect(withServer(HINT.repeat(11) + OK, postTo)).rejects.toMatchObject({
        reason: 'response_too_large',
        message: 'The host sends too many informational answers',
      });
    });

    it('gives up on a response that is mostly framing', async () => {
      const answer = `${CHUNKED}2;a=${'b'.repeat(3_000_000)}\r\nok\r\n0\r\n\r\n`;
      await expect(withServer(answer, postTo)).rejects.toMatchObject({ reason: 'response_too_large' });
    });

    it('counts the bytes of each response on a connection, not of all', async () => {
      const answer = `${CHUNKED}2;a=${'b'.repeat(100_000)}\r\nok\r\n0\r\n\r\n`;
      await withServer(answer, async (port) => {
        for (let n = 0; n < 10; n++) expect(await postTo(port)).toMatchObject({ statusCode: 200, body: 'ok' });
      });
    });
  });
});
