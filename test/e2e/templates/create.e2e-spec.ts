import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const NO_HELPERS =
  'Templates are Mustache, which has no helpers: {{#items}}…{{/items}} repeats for each item and renders nothing for an empty list';

describe('POST /api/templates', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const create = (body: object) => account.asAdmin('post', '/api/templates').send(body);
  const refused = (message: string) => errorBody(400, message);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  it('saves a template and lists its variables', async () => {
    const template = {
      name: 'Welcome',
      subject: 'Welcome, {{firstName}}',
      html: '<p>{{user.city}} {{#items}}{{title}}{{/items}} {{{firstName}}}</p>',
      text: '{{zip}}',
    };
    const { body } = await create(template).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      version: 1,
      ...template,
      variables: ['firstName', 'items', 'title', 'user.city', 'zip'],
      sampleValues: {},
      createdAt: time,
      updatedAt: time,
    });
    await account.asMember('get', `/api/templates/${body.id}`).expect(200, body);
  });

  it.each([
    [{ html: '<p>Hi</p>' }, { html: '<p>Hi</p>', text: null }],
    [
      { text: 'Hi', html: null },
      { html: null, text: 'Hi' },
    ],
  ])('accepts one body: %j', async (parts, saved) => {
    const { body } = await create({ name: 'One', subject: 'Hi', ...parts }).expect(201);
    expect(body).toMatchObject({ ...saved, variables: [] });
  });

  it('keeps sample values, and changes them', async () => {
    const sampleValues = { firstName: 'Ada', items: [{ title: 'A' }], constructor: 'x' };
    const { body } = await create({ name: 'Samples', subject: 'Hi', text: '{{firstName}}', sampleValues }).expect(201);
    expect(body).toMatchObject({ sampleValues });
    const path = `/api/templates/${body.id}`;
    const change = (values: unknown) => account.asAdmin('patch', path).send({ sampleValues: values });
    await account.asAdmin('patch', path).send({ name: 'Renamed' }).expect(200);
    expect((await account.asMember('get', path).expect(200)).body).toMatchObject({ name: 'Renamed', sampleValues });
    await change({ firstName: 'Grace' }).expect(200);
    expect((await account.asMember('get', path).expect(200)).body.sampleValues).toEqual({ firstName: 'Grace' });
    for (const wrong of [null, 'x', ['x']]) await change(wrong).expect(400, refused('sampleValues must be an object'));
    const tooLong = 'sampleValues is longer than 20000 characters of JSON';
    await change({ story: 'x'.repeat(20_000) }).expect(400, refused(tooLong));
  });

  it('accepts two bodies of 500,000 characters', async () => {
    const large = '"'.repeat(500_000);
    await create({ name: 'Large', subject: 'Hi', html: large, text: large }).expect(201);
  });

  const valid = { name: 'Welcome', subject: 'Hi', text: 'Hi' };
  it.each([
    [{ name: 'Welcome', subject: 'Hi' }, 'html or text is required'],
    [{ ...valid, subject: undefined }, 'subject must be a string'],
    [{ ...valid, subject: '' }, 'subject must be longer than or equal to 1 characters'],
    [{ ...valid, subject: 'x'.repeat(999) }, 'subject must be shorter than or equal to 998 characters'],
    [{ ...valid, subject: 'Hi\r\nBcc: eve@example.com' }, 'subject must not hold line breaks or control characters'],
    [{ ...valid, subject: 'Hi\u0007' }, 'subject must not hold line breaks or control characters'],
    [{ ...valid, subject: 'Hi {{name' }, 'subject has a tag that is not closed'],
    [{ ...valid, html: '{{#items}}<p>' }, 'html: Unclosed section "items" at 13'],
    [{ ...valid, html: '{{#each items}}<p>' }, `html: Unclosed section "each items" at 18. ${NO_HELPERS}`],
    [{ ...valid, html: '{{#each}}<p>' }, `html: Unclosed section "each" at 12. ${NO_HELPERS}`],
    [{ ...valid, html: '{{#if a}}<p>{{/if}}' }, `html: Unclosed section "if a" at 12. ${NO_HELPERS}`],
    [{ ...valid, html: '{{> footer}}' }, 'html must not use partials, {{> … }}'],
    [{ ...valid, text: '{{=<% %>=}}' }, 'text must not change the delimiters, {{= … }}'],
    [{ ...valid, text: '{{#a}}'.repeat(11) + '{{/a}}'.repeat(11) }, 'text nests sections more than 10 deep'],
    [{ ...valid, html: 'x'.repeat(500_001) }, 'html must be shorter than or equal to 500000 characters'],
    [{ ...valid, html: '' }, 'html must be longer than or equal to 1 characters'],
    [{ ...valid, name: '' }, 'name must be longer than or equal to 1 characters'],
    [{ ...valid, text: 'a\u0000b' }, 'text holds a character that cannot be stored'],
    [{ ...valid, colour: 'red' }, 'colour is not a known field'],
  ])('refuses %.80j', async (body, message) => {
    await create(body).expect(400, refused(message));
  });

  it('refuses a body of more than 4 MB', async () => {
    await create({ ...valid, html: 'x'.repeat(4_200_000) }).expect(413, errorBody(413, 'The body is larger than 4 MB'));
  });
});
