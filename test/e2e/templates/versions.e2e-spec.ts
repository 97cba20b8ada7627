import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MAX_TEMPLATE_VERSIONS } from '../../../src/config/limits.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { raceBehind } from '../../support/race.js';
import { TestService } from '../../support/service.js';

const FIRST = { name: 'Welcome', subject: 'Hi {{a}}', html: '<p>{{b}}</p>', text: '{{c}}', sampleValues: { a: 1 } };

interface Version {
  version: number;
  name: string;
}

describe('Versions of a template', () => {
  let service: TestService;
  let account: TestAccount;
  let id: string;
  let path: string;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    id = (await account.asAdmin('post', '/api/templates').send(FIRST).expect(201)).body.id;
    path = `/api/templates/${id}`;
  });

  const templateNotFound = errorBody(404, 'Template not found');
  const versionNotFound = errorBody(404, 'Template version not found');
  const read = async () => (await account.asMember('get', path).expect(200)).body;
  const list = async (query = '') => (await account.asMember('get', `${path}/versions${query}`).expect(200)).body;
  const listed = async () => (await list('?limit=100')).items as Version[];
  const get = async (version: number) =>
    (await account.asMember('get', `${path}/versions/${version}`).expect(200)).body;
  const restore = (version: number | string) => account.asAdmin('post', `${path}/versions/${version}/restore`);
  const change = (body: object) => {
    service.clock.advance({ minutes: 1 });
    return account.asAdmin('patch', path).send(body);
  };

  it('begin with the creation, and go on with every change of any field', async () => {
    const { createdAt } = await read();
    const first = { version: 1, name: 'Welcome', subject: 'Hi {{a}}', savedAt: createdAt };
    expect(await list()).toEqual({ items: [first], total: 1, page: 1, pageSize: 25, totalPages: 1 });
    for (const body of [
      { name: 'Hello' },
      { subject: 'Bye' },
      { html: null },
      { text: 'Hi' },
      { sampleValues: { a: 2 } },
    ]) {
      const { body: changed } = await change(body).expect(200);
      const [newest] = await listed();
      const { name, subject, updatedAt: savedAt } = changed;
      expect(newest).toEqual({ version: newest!.version, name, subject, savedAt });
    }
    expect((await listed()).map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await get(1)).toEqual({ ...FIRST, version: 1, savedAt: createdAt });
    const { name, subject, html, text, sampleValues, updatedAt: savedAt } = await read();
    expect(await get(6)).toEqual({ name, subject, html, text, sampleValues, version: 6, savedAt });
    expect(await get(4)).toMatchObject({ subject: 'Bye', html: null, text: '{{c}}', sampleValues: { a: 1 } });
  });

  it('are listed page by page, newest first', async () => {
    for (const name of ['Second', 'Third']) await change({ name }).expect(200);
    expect(await list('?limit=2&page=2')).toMatchObject({ items: [{ name: 'Welcome' }], total: 3, totalPages: 2 });
    expect(await list('?limit=2&page=3')).toMatchObject({ items: [], total: 3 });
    const refused = badRequest('limit must not be greater than 100');
    await account.asMember('get', `${path}/versions?limit=101`).expect(400, refused);
  });

  it('are not made by a save without a change, nor by one that is refused', async () => {
    const before = await read();
    await change(FIRST).expect(200, before);
    await change({}).expect(200, before);
    await change({ html: null, text: null }).expect(400);
    expect(await listed()).toHaveLength(1);
    expect(await read()).toEqual(before);
  });

  it('are restored as a new version, so that nothing is lost', async () => {
    await change({ name: 'Other', html: null, sampleValues: {} }).expect(200);
    service.clock.advance({ minutes: 1 });
    const { body } = await restore(1).expect(200);
    expect(body).toEqual({ ...FIRST, version: 3, savedAt: expect.any(String) });
    expect(await read()).toMatchObject({ ...FIRST, updatedAt: body.savedAt });
    expect(await get(3)).toEqual(body);
    expect(await get(2)).toMatchObject({ name: 'Other', html: null, sampleValues: {} });
    await restore(3).expect(200, body);
    await restore(1).expect(200, body);
    expect(await listed()).toHaveLength(3);
  });

  it('are restored over the version that the caller knows, and over no other', async () => {
    await change({ name: 'Second' }).expect(200);
    await change({ name: 'Third' }).expect(200);
    const before = await read();
    const changedMeanwhile = errorBody(409, 'Template was changed meanwhile: it has version 3');
    await restore(1).send({ version: 2 }).expect(409, changedMeanwhile);
    await restore(1).send({ version: 0 }).expect(400, badRequest('version must not be less than 1'));
    await restore(1).send({ base: 3 }).expect(400, badRequest('base is not a known field'));
    expect(await read()).toEqual(before);
    expect((await restore(1).send({ version: 3 }).expect(200)).body).toMatchObject({ ...FIRST, version: 4 });
    expect((await restore(1).send({ version: 4 }).expect(200)).body.version).toBe(4);
  });

  it('of a content that could no longer be saved are not restored', async () => {
    await change({ text: 'x' }).expect(200);
    await service.query(`UPDATE template_versions SET text = '{{#x}}' WHERE template_id = $1`, [id]);
    const { body } = await restore(1).expect(400);
    expect(body.message).toMatch(/^text: Unclosed section "x"/);
    expect(await listed()).toHaveLength(2);
  });

  it(`are limited to the newest ${MAX_TEMPLATE_VERSIONS}`, async () => {
    for (let n = 2; n <= MAX_TEMPLATE_VERSIONS + 2; n++) await change({ name: `Name ${n}` }).expect(200);
    const { items, total } = await list('?limit=100');
    expect(total).toBe(MAX_TEMPLATE_VERSIONS);
    expect(items[0]).toMatchObject({ version: MAX_TEMPLATE_VERSIONS + 2, name: `Name ${MAX_TEMPLATE_VERSIONS + 2}` });
    expect(items.at(-1)).toMatchObject({ version: 3, name: 'Name 3' });
    await restore(2).expect(404, versionNotFound);
    expect((await restore(3).expect(200)).body).toMatchObject({ version: MAX_TEMPLATE_VERSIONS + 3, name: 'Name 3' });
    expect(await list()).toMatchObject({ total: MAX_TEMPLATE_VERSIONS });
  });

  it('are all kept when saves and a restore run at the same time', async () => {
    await change({ name: 'Second' }).expect(200);
    const hold = () => service.query('SELECT FROM templates WHERE id = $1 FOR UPDATE', [id]);
    const answers = await raceBehind(service, hold, [
      () => change({ name: 'A' }),
      () => change({ subject: 'B' }),
      () => restore(1),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const versions = await Promise.all((await listed()).map(({ version }) => get(version)));
    expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    const { name, subject } = await read();
    expect(versions[0]).toMatchObject({ name, subject });
    expect(versions.filter((version) => version.name === 'A').length).toBeGreaterThan(0);
    expect(versions.filter((version) => version.subject === 'B').length).toBeGreaterThan(0);
  });

  it('are deleted with the template', async () => {
    await change({ name: 'Second' }).expect(200);
    await account.asAdmin('delete', path).expect(200);
    await account.asMember('get', `${path}/versions`).expect(404, templateNotFound);
    for (const version of [1, 2]) {
      await account.asMember('get', `${path}/versions/${version}`).expect(404, versionNotFound);
      await restore(version).expect(404, versionNotFound);
    }
    expect(await service.query('SELECT FROM template_versions WHERE template_id = $1', [id])).toEqual([]);
  });

  it.each(['0', '01', '2', '-1', '1.0', 'x', '9999999999'])('do not include %s', async (version) => {
    await account.asMember('get', `${path}/versions/${version}`).expect(404, versionNotFound);
    await restore(version).expect(404, versionNotFound);
  });
});
