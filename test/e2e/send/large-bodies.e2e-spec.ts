import { randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { RequestsInFlight } from '../../../src/platform/metrics/requests-in-flight.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const MB = 1_048_576;
const MAX_MB = 10;
/** Bodies of the largest size that the process holds of one account at a time, half of all. */
const LARGEST_BODIES = 2;
const LARGEST_BODY = Math.ceil((MAX_MB * MB * 4) / 3) + MB;

describe('A send with a body above 1 MB', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let secret: string;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ relay, service } = fixture);
    const sender = await fixture.open();
    ({ account } = sender);
    ({ secret } = sender.key);
  });
  beforeEach(() => {
    relay.reset();
  });
  afterAll(() => fixture.stop());

  const bodyWith = (...files: Buffer[]) =>
    JSON.stringify({
      to: 'ada@example.org',
      fromEmail: 'shop@example.com',
      subject: 'Hello',
      text: 'Hello',
      attachments: files.map((bytes, i) => ({ filename: `${i + 1}.bin`, content: bytes.toString('base64') })),
    });
  const post = (
    body: string | ReadableStream,
    headers: Record<string, string> = {},
    key = secret,
    path = '/api/send/transactional',
  ) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers },
      body,
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    });
  const stored = async () => (await service.query('SELECT 1 FROM message_logs')).length;

  /** A request whose body of that length begins and does not end. */
  function begin(length: number): ClientRequest {
    const pending = request(`${service.url}/api/send/transactional`, {
      method: 'POST',
      headers: { 'X-API-Key': secret, 'Content-Type': 'application/json', 'Content-Length': length },
    });
    pending.on('error', () => undefined);
    pending.write('{"attachments":[');
    return pending;
  }

  it('delivers 10 MB byte by byte, in several files', async () => {
    const files = [randomBytes(6 * MB), randomBytes(4 * MB)];
    const response = await post(bodyWith(...files));
    expect(response.status).toBe(201);
    const [mail] = await waitFor('the mail', () => relay.received().length > 0 && relay.received());
    expect(mail?.parsed.attachments.map(({ content }) => content.equals(files.shift()!))).toEqual([true, true]);
  });

  it('recognises a repeated one, and one with another byte', async () => {
    const file = randomBytes(2 * MB);
    const first = await post(bodyWith(file), { 'Idempotency-Key': 'large' });
    const again = await post(bodyWith(file), { 'Idempotency-Key': 'large' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    file[file.length - 1]! ^= 1;
    expect((await post(bodyWith(file), { 'Idempotency-Key': 'large' })).status).toBe(409);
  });

  it('is refused with 413 beyond 10 MB, with any Content-Length', async () => {
    const before = await stored();
    for (const bytes of [MAX_MB * MB + 1, 12 * MB]) {
      const response = await post(bodyWith(Buffer.alloc(bytes)));
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual(errorBody(413, 'attachments are larger than 10 MB together'));
    }
    const long = await post(JSON.stringify({ html: 'x'.repeat(5 * MB) }));
    expect(await long.json()).toEqual(errorBody(413, 'The body is larger than 5 MB'));
    expect(await stored()).toBe(before);
  });

  it('takes the longest html in any alphabet, as a batch does', async () => {
    const email = {
      to: 'ada@example.org',
      fromEmail: 'shop@example.com',
      subject: 'Hello',
      html: '数'.repeat(1_000_000),
    };
    expect((await post(JSON.stringify(email))).status).toBe(201);
    const path = '/api/send/batch';
    expect((await post(JSON.stringify({ messages: [email] }), {}, secret, path)).status).toBe(201);
    const tooLong = { ...email, html: `${email.html}数` };
    const refused = await post(JSON.stringify(tooLong));
    const message = 'html must be shorter than or equal to 1000000 characters';
    expect(await refused.json()).toEqual(errorBody(400, message));
    const refusedInBatch = await post(JSON.stringify({ messages: [tooLong] }), {}, secret, path);
    expect(await refusedInBatch.json()).toEqual(errorBody(400, `messages[0].${message}`));
  });

  it('is refused with 411 without Content-Length', async () => {
    const response = await post(new Blob([bodyWith(Buffer.alloc(MB))]).stream());
    expect(response.status).toBe(411);
    expect(await response.json()).toEqual(errorBody(411, 'A body larger than 1 MB needs the header Content-Length'));
    expect((await post(new Blob([bodyWith(Buffer.alloc(1_000))]).stream())).status).toBe(201);
  });

  it('is refused with 400 if a content is not base64 or the rest is not JSON', async () => {
    const body = bodyWith(Buffer.alloc(2 * MB));
    const invalid = await post(body.replace('AAAA', 'A?AA'));
    expect(await invalid.json()).toEqual(errorBody(400, 'attachments[0].content is not base64'));
    const broken = await post(body.slice(0, -1));
    expect(await broken.json()).toEqual(errorBody(400, 'The body is not valid JSON'));
  });

  it('is not read for a caller without access', async () => {
    const response = await post(bodyWith(Buffer.alloc(2 * MB)), {}, 'sk_unknown');
    expect(response.status).toBe(401);
  });

  it('is refused with 503 while the memory for such bodies is in use, and small ones are not', async () => {
    const body = bodyWith(Buffer.alloc(2 * MB));
    const fitting = Math.floor((LARGEST_BODIES * LARGEST_BODY) / body.length);
    const refused: IncomingMessage[] = [];
    const pending = Array.from({ length: fitting + 5 }, () => begin(body.length));
    for (const one of pending) one.on('response', (answer) => refused.push(answer));
    await waitFor('five refusals', () => refused.length === 5);
    const response = await post(body);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toEqual(errorBody(503, 'The service is overloaded'));
    expect((await post(bodyWith(Buffer.alloc(1_000)))).status).toBe(201);
    for (const one of pending) one.destroy();
    await waitFor('free memory', async () => (await post(body)).status === 201);
  });

  it('of one account leaves memory to others', async () => {
    const other = await service.createAccount();
    await other.verifySender('shop@example.com');
    const { secret: theirs } = await other.createKey();
    const body = bodyWith(Buffer.alloc(2 * MB));
    const pending = Array.from({ length: LARGEST_BODIES + 1 }, () => begin(LARGEST_BODY));
    const refused: IncomingMessage[] = [];
    for (const one of pending) one.on('response', (answer) => refused.push(answer));
    await waitFor('a refusal', () => refused.length === 1);
    expect((await post(body, {}, theirs)).status).toBe(201);
    for (const one of pending) one.destroy();
    await waitFor('free memory', async () => (await post(body)).status === 201);
  });

  it('whose client has gone before it was read takes no memory for good', async () => {
    const inFlight = service.app.get(RequestsInFlight, { strict: false });
    await service.hold(async () => {
      await service.query('LOCK TABLE daily_usage IN ACCESS EXCLUSIVE MODE'); // a guard reads it
      const gone = Array.from({ length: LARGEST_BODIES }, () => begin(LARGEST_BODY));
      await waitFor('the requests', () => inFlight.count === gone.length);
      for (const one of gone) one.destroy();
      await waitFor('their end', () => inFlight.count === 0);
    });
    const body = bodyWith(Buffer.alloc(2 * MB));
    await waitFor('free memory', async () => (await post(body)).status === 201);
  });

  it('is refused by a route that takes no attachments', async () => {
    const { status } = await account.asAdmin('post', '/api/lists').send({ name: 'x'.repeat(MB) });
    expect(status).toBe(413);
  });
});
