import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ApplyOptOuts } from '../../../src/modules/sms/application/apply-opt-outs.service.js';
import {
  LeaseLostError,
  OptOutSyncRepository,
} from '../../../src/modules/sms/application/ports/opt-out-sync.repository.js';
import { SyncOptOuts } from '../../../src/modules/sms/application/sync-opt-outs.service.js';
import { SyncSmsAccounts } from '../../../src/modules/sms/application/sync-sms-accounts.service.js';
import type { SmsConnection } from '../../../src/providers/index.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import type { AwsRequest } from '../../support/fake-aws/aws-call.js';
import { type SmsAccount, SmsFixture } from '../../support/sms-fixture.js';
import { expireLeases } from '../../support/expire-leases.js';
import { waitFor } from '../../support/wait-for.js';

const LIST = 'ListPhoneNumbersOptedOut';
const number = (n: number) => `+1415555${String(n).padStart(4, '0')}`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => number(n));
const EVENTS = `SELECT type, data FROM outbox_events WHERE account_id = $1 ORDER BY data ->> 'phone'`;
const REFUSED = { status: 403, error: 'AuthorizationError', message: 'No' };
const THROTTLED = { status: 400, error: 'Throttling', message: 'Rate exceeded' };

describe('POST /api/sms/sync-optouts', () => {
  let sms: SmsFixture;
  let opened: SmsAccount;
  let account: TestAccount;
  let optedOut: Set<string>;

  beforeAll(async () => {
    sms = await SmsFixture.start({ ROLE: 'api', SMS_SYNC_PAGES_PER_SECOND: '1000' });
  });
  afterAll(() => sms.stop());
  beforeEach(async () => {
    sms.aws.reset();
    opened = await sms.open();
    account = opened.account;
    optedOut = sms.aws.account(opened.accessKeyId).sms.optedOut;
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const sync = () => account.asAdmin('post', '/api/sms/sync-optouts');
  const list = (...some: string[]) => {
    optedOut.clear();
    for (const one of some) optedOut.add(one);
  };
  const suppressed = async () => {
    const { body } = await account.asMember('get', '/api/suppressions?limit=100').expect(200);
    type Entry = Record<'channel' | 'address' | 'reason' | 'source', string>;
    return (body as { items: Entry[] }).items
      .map(({ channel, address, reason, source }) => [channel, address, reason, source].join(' '))
      .sort();
  };
  const entry = (address: string, cause = 'sms_opt_out sms_sync') => `sms ${address} ${cause}`;
  const events = () => sms.service.query<{ type: string; data: object }>(EVENTS, [account.id]);
  const provided = (): SmsConnection => ({
    kind: 'sns',
    access: { region: 'us-east-1', credentials: { accessKeyId: opened.accessKeyId, secretAccessKey: 'a secret' } },
    originationNumber: null,
    senderId: null,
    maxSendRate: 1,
    settingsAt: new Date(0),
  });
  const get = <T>(type: abstract new (...args: never[]) => T): T => sms.service.app.get(type, { strict: false });
  /** Collects the token of each request for a page; null: the first page. */
  const collectTokens = (refuse: (token: string | null, nth: number) => object | undefined = () => undefined) => {
    const tokens: (string | null)[] = [];
    sms.aws.answer = ({ operation, parameters }: AwsRequest) => {
      if (operation !== LIST) return undefined;
      const token = (parameters.nextToken as string | undefined) ?? null;
      tokens.push(token);
      return refuse(token, tokens.length) as never;
    };
    return tokens;
  };

  it('suppresses the numbers on the list, and writes one event for each', async () => {
    list(number(1), number(2));
    const { body } = await sync().expect(200);
    expect(body).toEqual({ added: 2, total: 2, syncedAt: expect.stringMatching(/Z$/) });
    expect(await suppressed()).toEqual([entry(number(1)), entry(number(2))]);
    const written = await events();
    expect(written.map(({ type }) => type)).toEqual(['contact.suppressed', 'contact.suppressed']);
    const cause = { channel: 'sms', reason: 'sms_opt_out', source: 'sms_sync' };
    expect(written[0]?.data).toMatchObject({ phone: number(1), ...cause });
    await sms.post(opened.key, { to: number(2) }).expect(400, badRequest(`${number(2)} has opted out of SMS`));

    list(number(1), number(2), number(3));
    expect((await sync().expect(200)).body).toMatchObject({ added: 1, total: 3 });
    expect((await sync().expect(200)).body).toMatchObject({ added: 0, total: 3 });
    expect(await events()).toHaveLength(3);
  });

  it('shows the result of the last sync on request', async () => {
    const last = async () => (await account.asMember('get', '/api/sms/sync-optouts').expect(200)).body;
    expect(await last()).toEqual({ added: 0, total: 0, syncedAt: null, error: null });
    list(number(1));
    const { body } = await sync().expect(200);
    expect(await last()).toEqual({ ...body, error: null });
    const { account: other } = await sms.open();
    expect((await other.asMember('get', '/api/sms/sync-optouts').expect(200)).body.syncedAt).toBeNull();
  });

  it('reads every page, of its own AWS account only', async () => {
    list(...numbers(250));
    const other = await sms.open();
    sms.aws.account(other.accessKeyId).sms.optedOut.add('+12025550199');
    const tokens = collectTokens();
    expect((await sync().expect(200)).body).toMatchObject({ added: 250, total: 250 });
    expect(tokens).toEqual([null, '100', '200']);
    const { body } = await other.account.asMember('get', '/api/suppressions').expect(200);
    expect(body.total).toBe(0);
  });

  it('lifts numbers that are no longer listed, if only the sync suppressed them', async () => {
    await account
      .asAdmin('post', '/api/suppressions')
      .send({ phone: number(3) })
      .expect(201);
    list(number(1), number(2), number(3), number(4));
    await sync().expect(200);
    // Suppressed by hand afterwards, which is another cause.
    const { body } = await account
      .asAdmin('post', '/api/suppressions')
      .send({ phone: number(4) })
      .expect(200);
    expect(body).toMatchObject({ reason: 'manual', source: 'dashboard' });
    list(number(2));
    expect((await sync().expect(200)).body).toMatchObject({ added: 0, total: 1 });
    const manual = 'manual dashboard';
    expect(await suppressed()).toEqual([entry(number(2)), entry(number(3), manual), entry(number(4), manual)]);
    await sms.send(opened.key, { to: number(1) });
  });

  it('suppresses a listed number again that was lifted by hand', async () => {
    list(number(1));
    await sync().expect(200);
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
    expect((await sync().expect(200)).body).toMatchObject({ added: 1, total: 1 });
    expect(await suppressed()).toEqual([entry(number(1))]);
  });

  it('lifts nothing before a pass is complete', async () => {
    list(...numbers(101));
    await sync().expect(200);
    list(...numbers(150).slice(1));
    collectTokens((token) => (token === null ? undefined : REFUSED));
    await sync().expect(500, errorBody(500, 'Provider error: No'));
    // The first page was applied, and the next sync resumes after it.
    expect((await suppressed()).slice(0, 1)).toEqual([entry(number(0))]);
    const tokens = collectTokens();
    expect((await sync().expect(200)).body).toMatchObject({ total: 149 });
    expect(tokens).toEqual(['100']);
    const left = await sms.service.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM suppressions WHERE account_id = $1',
      [account.id],
    );
    expect(left).toEqual([{ count: 149 }]);
    await sms.send(opened.key, { to: number(0) });
  });

  it('does not lift a number that moved to a page already read, because others left the list', async () => {
    list(...numbers(250));
    await sync().expect(200);
    const tokens = collectTokens((token) => {
      if (token === '100') optedOut.delete(number(0));
      return undefined;
    });
    expect((await sync().expect(200)).body).toMatchObject({ added: 0, total: 250 });
    expect(tokens).toEqual([null, '100', '200']);
    await sms.post(opened.key, { to: number(100) }).expect(400, badRequest(`${number(100)} has opted out of SMS`));
    expect(sms.aws.requests('CheckIfPhoneNumberIsOptedOut')).toBe(1);

    expect((await sync().expect(200)).body).toMatchObject({ added: 0, total: 249 });
    await sms.send(opened.key, { to: number(0) });
    await sms.post(opened.key, { to: number(100) }).expect(400);
    expect(await events()).toHaveLength(250);
  });

  it.each([
    ['is not authorised', REFUSED],
    ['is throttled', THROTTLED],
  ])('lifts nothing if the check of a number %s, until the next sync', async (_, refusal) => {
    list(number(1), number(2));
    await sync().expect(200);
    list(number(2));
    sms.aws.answer = ({ operation }) => (operation === 'CheckIfPhoneNumberIsOptedOut' ? refusal : undefined);
    expect((await sync().expect(200)).body).toMatchObject({ added: 0, total: 1 });
    expect(await suppressed()).toEqual([entry(number(1)), entry(number(2))]);
    sms.aws.answer = () => undefined;
    await sync().expect(200);
    expect(await suppressed()).toEqual([entry(number(2))]);
  });

  it('waits while it is throttled, and continues with the same page', async () => {
    list(...numbers(201));
    const tokens = collectTokens((_, nth) => (nth === 2 || nth === 3 ? THROTTLED : undefined));
    expect((await sync().expect(200)).body).toMatchObject({ added: 201, total: 201 });
    expect(tokens).toEqual([null, '100', '100', '100', '200']);
  });

  it('gives up after some attempts, and the next sync resumes at that page', async () => {
    list(...numbers(101));
    const refused = collectTokens((token) => (token === null ? undefined : THROTTLED));
    await sync().expect(500, errorBody(500, 'Provider error: Rate exceeded'));
    expect(refused).toHaveLength(7);
    const tokens = collectTokens();
    expect((await sync().expect(200)).body).toMatchObject({ added: 101, total: 101 });
    expect(tokens).toEqual(['100']);
  });

  it('starts over, once, if the token is no longer valid', async () => {
    list(...numbers(101));
    collectTokens((token) => (token === null ? undefined : REFUSED));
    await sync().expect(500);
    const unknown = { status: 400, error: 'InvalidParameter', message: 'Invalid parameter: nextToken' };
    const tokens = collectTokens((_, nth) => (nth === 1 ? unknown : undefined));
    expect((await sync().expect(200)).body).toMatchObject({ total: 101 });
    expect(tokens).toEqual(['100', null, '100']);

    collectTokens((token) => (token === null ? undefined : REFUSED));
    await sync().expect(500);
    collectTokens((token) => (token === null ? undefined : unknown));
    await sync().expect(500, errorBody(500, 'Provider error: Invalid parameter: nextToken'));
  });

  it('shares one sync and its result among concurrent requests', async () => {
    list(...numbers(150));
    const find = jest.spyOn(get(OptOutSyncRepository), 'get');
    let go!: () => void;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const tokens: unknown[] = [];
    sms.aws.answer = async ({ operation, parameters }) => {
      if (operation === LIST) tokens.push(parameters.nextToken ?? null);
      await gate;
      return undefined;
    };
    const calls = [sync(), sync(), sync()].map(async (call) => (await call.expect(200)).body as object);
    await waitFor('all requests', () => find.mock.calls.length >= 3 && tokens.length === 1);
    const run = await get(SyncOptOuts).run(account.id, provided());
    expect(run).toEqual({ outcome: 'busy' });
    go();
    const results = await Promise.all(calls);
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]).toMatchObject({ added: 150, total: 150 });
    expect(tokens).toEqual([null, '100']);
    expect(await events()).toHaveLength(150);
  });

  it('does not read the pages of an unfinished pass again; the next pass does', async () => {
    list(...numbers(150));
    const source = `us-east-1 ${opened.accessKeyId}`;
    const pass = (await get(OptOutSyncRepository).claim(account.id, source, sms.service.clock.now()))!;
    await get(ApplyOptOuts).applyPage(pass, { numbers: numbers(100), nextToken: '100' });
    await get(OptOutSyncRepository).release(pass);
    list(number(9_000), ...numbers(150));
    expect((await sync().expect(200)).body).toMatchObject({ total: 150 });
    await sms.send(opened.key, { to: number(9_000) });
    expect((await sync().expect(200)).body).toMatchObject({ added: 1, total: 151 });
  });

  it('resumes after the last page of a process that died, whose later writes are refused', async () => {
    list(...numbers(250));
    const [syncs, apply] = [get(OptOutSyncRepository), get(ApplyOptOuts)];
    const source = `us-east-1 ${opened.accessKeyId}`;
    const dead = (await syncs.claim(account.id, source, sms.service.clock.now()))!;
    await apply.applyPage(dead, { numbers: numbers(100), nextToken: '100' });
    expect(await get(SyncOptOuts).run(account.id, provided())).toEqual({ outcome: 'busy' });

    await expireLeases(sms.service, 'sms_opt_out_syncs');
    const tokens = collectTokens();
    expect((await sync().expect(200)).body).toMatchObject({ added: 250, total: 250 });
    expect(tokens).toEqual(['100', '200']);

    const page = { numbers: ['+12025550123'], nextToken: null };
    await expect(apply.applyPage(dead, page)).rejects.toBeInstanceOf(LeaseLostError);
    await expect(syncs.complete(dead, sms.service.clock.now())).rejects.toBeInstanceOf(LeaseLostError);
    await syncs.release(dead);
    expect(await events()).toHaveLength(250);
  });

  it('lifts nothing when the account changes to another AWS account', async () => {
    list(number(1));
    await sync().expect(200);
    const moved = await sms.open({}, account);
    sms.aws.account(moved.accessKeyId).sms.optedOut.add(number(2));
    await sms.knows(account, (provider) => JSON.stringify(provider).includes(moved.accessKeyId));
    expect((await sync().expect(200)).body).toMatchObject({ added: 1, total: 1 });
    expect(await suppressed()).toEqual([entry(number(1)), entry(number(2))]);
  });

  it('refuses accounts that do not send SMS, and members', async () => {
    const plain = await sms.service.createAccount();
    const refusal = badRequest('SMS is not enabled for this account');
    await plain.asAdmin('post', '/api/sms/sync-optouts').expect(400, refusal);
    await account.asMember('post', '/api/sms/sync-optouts').expect(403);
  });

  it('runs on a schedule for every account, with the refresh of its status; a refused account delays no other', async () => {
    list(number(1));
    const refused = await sms.open();
    const boxed = await sms.open();
    const theirs = sms.aws.account(boxed.accessKeyId).sms;
    theirs.sandbox = true;
    theirs.sandboxNumbers.set('+12025550111', 'Verified').set('+12025550112', 'Pending');
    theirs.originationNumbers.push({
      phoneNumber: '+12065550100',
      country: 'US',
      routeType: 'Transactional',
      capabilities: ['SMS'],
    });
    const no = { status: 403, error: 'InvalidClientTokenId', message: 'The security token is invalid' };
    sms.aws.answer = ({ accessKeyId }) => (accessKeyId === refused.accessKeyId ? no : undefined);
    await get(SyncSmsAccounts).run();
    expect(await suppressed()).toEqual([entry(number(1))]);
    const shown = async (who: TestAccount) => (await who.asMember('get', '/api/settings').expect(200)).body.sms;
    expect(await shown(boxed.account)).toMatchObject({
      sandbox: true,
      verifiedNumbers: ['+12025550111'],
      originationNumbers: ['+12065550100'],
      checkedAt: expect.any(String),
    });
    expect(await shown(account)).toMatchObject({ sandbox: false });
    expect(await shown(refused.account)).toMatchObject({ sandbox: null });
  });
});
