import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { TEST_CONTENT_BYTES_PER_DAY } from '../../../src/config/limits.js';
import { TEST_ROW_BYTES } from '../../../src/modules/messages/domain/daily-caps.js';
import { testAccountIdOf } from '../../../src/shared/test-account.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { SENDER } from '../../support/relay-fixture.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const MESSAGE = 'Daily limit of 200 MB of test content reached';
const FILE = Buffer.alloc(50_000, 'x');
const ATTACHMENTS = [{ filename: 'a.txt', content: FILE.toString('base64') }];
/** So many bytes that the file is stored in a statement of its own. */
const LARGE_FILE = [{ filename: 'b.txt', content: Buffer.alloc(2_000_000, 'x').toString('base64') }];

describe('The content of test messages', () => {
  let service: TestService;
  let account: TestAccount;
  let test: TestKey;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    await account.verifySender(SENDER);
    test = await account.createKey({ mode: 'test' });
  });

  const send = (key: TestKey, mail: object = {}) => postEmail(service, key.secret, { text: 'Hello', ...mail });
  const sendBatch = (messages: object[], mode: string) =>
    service
      .request('post', '/api/send/batch')
      .set('X-API-Key', test.secret)
      .send({ mode, messages: messages.map((mail) => ({ fromEmail: SENDER, subject: 'Hello', ...mail })) });
  const stored = async (id = testAccountIdOf(account.id)) => {
    const [row] = await service.query<{ bytes: string }>(
      'SELECT test_bytes AS bytes FROM daily_usage WHERE subject_id = $1',
      [id],
    );
    return Number(row?.bytes);
  };
  /** As if so many bytes had been stored; the next message may store them all, and goes beyond the limit. */
  async function leave(bytes: number): Promise<void> {
    await send(test).expect(201);
    const values = [testAccountIdOf(account.id), TEST_CONTENT_BYTES_PER_DAY - bytes];
    await service.query('UPDATE daily_usage SET test_bytes = $2 WHERE subject_id = $1', values);
  }

  it('is counted with the files, and with the rows of each copy; that of live messages is not', async () => {
    await send(test, { text: 'é', html: '<p>1</p>' }).expect(201);
    expect(await stored()).toBe(10 + TEST_ROW_BYTES);
    await send(test, { text: 'abc', attachments: ATTACHMENTS }).expect(201);
    expect(await stored()).toBe(10 + 3 + FILE.length + 2 * TEST_ROW_BYTES);
    const before = await stored();
    await send(test, { text: 'abc', cc: ['bob@example.org', 'eve@example.org'] }).expect(201);
    expect((await stored()) - before).toBeGreaterThanOrEqual(3 * (3 + TEST_ROW_BYTES));
    await send(await account.createKey(), { attachments: ATTACHMENTS }).expect(201);
    expect(await stored(account.id)).toBe(0);
  });

  it('is refused over the limit of the account and day, of which concurrent requests of several keys get one', async () => {
    await leave(1);
    const keys = [test, await account.createKey({ mode: 'test' })];
    const mails = [{}, { attachments: ATTACHMENTS }, { attachments: LARGE_FILE }, { tags: ['a'] }, {}];
    const responses = await Promise.all(keys.flatMap((key) => mails.map((mail) => send(key, mail))));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 429)]);
    const refused = await send(test).expect(429, errorBody(429, MESSAGE));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const logged = await service.query('SELECT FROM message_logs WHERE account_id = $1', [testAccountIdOf(account.id)]);
    expect(logged).toHaveLength(2);
    const filesOfRefused = await service.query(
      `SELECT FROM message_attachments a WHERE account_id = $1
         AND NOT EXISTS (SELECT FROM message_logs m WHERE m.id = a.group_id)`,
      [testAccountIdOf(account.id)],
    );
    expect(filesOfRefused).toEqual([]);
  });

  it.each([{}, { tags: ['a'] }])('of a batch is refused as a whole or message by message, with %j', async (more) => {
    await leave(8 + TEST_ROW_BYTES);
    const mails = ['ada', 'bob', 'eve'].map((name) => ({ to: `${name}@example.org`, text: 'Hello', ...more }));
    await sendBatch(mails, 'all').expect(429, errorBody(429, MESSAGE));
    const { body } = await sendBatch(mails, 'valid').expect(201);
    expect(body.queued).toBe(2);
    expect(body.results[2]).toMatchObject({ index: 2, error: { statusCode: 429, message: MESSAGE } });
    await sendBatch(mails, 'valid').expect(429, errorBody(429, MESSAGE));
  });

  it('is bounded for messages of no size, too, however often the key is replaced', async () => {
    await leave(2 * TEST_ROW_BYTES);
    for (let i = 0; i < 2; i++) {
      const key = await account.createKey({ mode: 'test' });
      await send(key, { text: 'x' }).expect(201);
      await account.asAdmin('delete', `/api/api-keys/${key.id}`).expect(200);
    }
    await send(await account.createKey({ mode: 'test' }), { text: 'x' }).expect(429, errorBody(429, MESSAGE));
  });

  it('may be stored again on the next day, and by other accounts and live keys at any time', async () => {
    await leave(0);
    await send(test).expect(429);
    await send(await account.createKey()).expect(201);
    const other = await service.createAccount();
    await send(await other.createKey({ mode: 'test' })).expect(201);
    service.clock.advance({ days: 1 });
    await send(test).expect(201);
  });
});
