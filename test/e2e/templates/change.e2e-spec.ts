import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { raceBehind } from '../../support/race.js';
import { TestService } from '../../support/service.js';

describe('PATCH and DELETE /api/templates/:id', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const notFound = errorBody(404, 'Template not found');
  const refused = (message: string) => errorBody(400, message);
  const changedMeanwhile = (version: number) =>
    errorBody(409, `Template was changed meanwhile: it has version ${version}`);
  const change = (id: string, body: object) => account.asAdmin('patch', `/api/templates/${id}`).send(body);
  const create = async () => {
    const template = { name: 'Welcome', subject: 'Hi {{a}}', html: '<p>{{b}}</p>', text: '{{c}}' };
    return (await account.asAdmin('post', '/api/templates').send(template).expect(201)).body;
  };

  it('keeps absent fields, clears fields with null and updates updatedAt', async () => {
    const before = await create();
    service.clock.advance({ minutes: 1 });
    const { body } = await change(before.id, { name: 'Hello', html: null }).expect(200);
    expect(body).toEqual({
      ...before,
      version: 2,
      name: 'Hello',
      html: null,
      variables: ['a', 'c'],
      updatedAt: expect.not.stringMatching(before.updatedAt),
    });
    await account.asMember('get', `/api/templates/${before.id}`).expect(200, body);
    const { body: again } = await change(before.id, { html: '{{x}}', subject: 'Bye' }).expect(200);
    expect(again).toMatchObject({ name: 'Hello', subject: 'Bye', html: '{{x}}', variables: ['c', 'x'] });
  });

  it.each([
    [{ html: null, text: null }, 'html or text is required'],
    [{ subject: null }, 'subject must be a string'],
    [{ name: null }, 'name must be a string'],
    [{ subject: 'a\nb' }, 'subject must not hold line breaks or control characters'],
    [{ text: '{{/x}}' }, 'text: Unopened section "x" at 0'],
    [{ version: 0, name: 'x' }, 'version must not be less than 1'],
    [{ version: '1', name: 'x' }, 'version must be an integer number'],
    [{ id: 'c' }, 'id is not a known field'],
  ])('refuses %j and changes nothing', async (body, message) => {
    const before = await create();
    await change(before.id, body).expect(400, refused(message));
    await account.asMember('get', `/api/templates/${before.id}`).expect(200, before);
  });

  it('keeps one body when two concurrent changes remove one each', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await create();
      const answers = await Promise.all([change(id, { html: null }), change(id, { text: null })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const { body } = await account.asMember('get', `/api/templates/${id}`).expect(200);
      expect([body.html, body.text].filter((part) => part === null)).toHaveLength(1);
    }
  });

  it('saves a change that is based on the newest version, and refuses others', async () => {
    const { id } = await create();
    expect((await change(id, { name: 'Second', version: 1 }).expect(200)).body.version).toBe(2);
    expect((await change(id, { name: 'Second', version: 2 }).expect(200)).body.version).toBe(2);
    const { body: stored } = await change(id, { name: 'Third' }).expect(200);
    expect(stored.version).toBe(3);
    for (const version of [1, 2, 4]) await change(id, { name: 'Lost', version }).expect(409, changedMeanwhile(3));
    await account.asMember('get', `/api/templates/${id}`).expect(200, stored);
  });

  it('saves one of two concurrent changes that are based on the same version', async () => {
    const { id } = await create();
    const hold = () => service.query('SELECT FROM templates WHERE id = $1 FOR UPDATE', [id]);
    const answers = await raceBehind(service, hold, [
      () => change(id, { name: 'A', version: 1 }),
      () => change(id, { name: 'B', version: 1 }),
    ]);
    const [saved, refusal] = answers.sort((a, b) => a.status - b.status);
    expect(saved!.status).toBe(200);
    expect(refusal).toMatchObject({ status: 409, body: changedMeanwhile(2) });
    await account.asMember('get', `/api/templates/${id}`).expect(200, saved!.body);
  });

  it('deletes a template and returns it', async () => {
    const template = await create();
    await account.asAdmin('delete', `/api/templates/${template.id}`).expect(200, template);
    await account.asMember('get', `/api/templates/${template.id}`).expect(404, notFound);
    await account.asAdmin('delete', `/api/templates/${template.id}`).expect(404, notFound);
    await change(template.id, { name: 'x' }).expect(404, notFound);
  });
});
