import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RenderTemplate } from '../../../src/modules/templates/index.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('POST /api/templates/:id/preview', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const refused = (message: string) => errorBody(400, message);
  const create = async (parts: object = {}): Promise<string> => {
    const template = {
      name: 'Order',
      subject: 'Order {{order.number}} of {{name}}',
      html: '<p>{{name}}, {{{raw}}}</p>{{#items}}<li>{{title}}</li>{{/items}}',
      text: '{{name}}\n{{#items}}\n- {{title}}\n{{/items}}\n',
      ...parts,
    };
    return (await account.asAdmin('post', '/api/templates').send(template).expect(201)).body.id;
  };
  const preview = (id: string, body: object) => account.asMember('post', `/api/templates/${id}/preview`).send(body);

  it('renders all parts and escapes values in HTML only', async () => {
    const variables = {
      name: 'A & B',
      raw: '<br>',
      order: { number: 7 },
      items: [{ title: 'Pen' }, { title: '"Ink"' }],
    };
    await preview(await create(), { variables }).expect(200, {
      subject: 'Order 7 of A & B',
      html: '<p>A &amp; B, <br></p><li>Pen</li><li>&quot;Ink&quot;</li>',
      text: 'A & B\n- Pen\n- "Ink"\n',
    });
  });

  it('renders missing variables empty and returns null for a missing part', async () => {
    await preview(await create({ html: null }), {}).expect(200, { subject: 'Order  of ', html: null, text: '\n' });
  });

  it('refuses values that add a line break to the subject', async () => {
    await preview(await create(), { variables: { name: 'Ada\r\nBcc: eve@example.com' } }).expect(
      400,
      refused('subject must not hold line breaks or control characters once its variables are filled in'),
    );
  });

  it.each([
    [{ variables: 'Ada' }, 'variables must be an object'],
    [{ variables: ['Ada'] }, 'variables must be an object'],
    [{ variables: null }, 'variables must be an object'],
    [{ values: {} }, 'values is not a known field'],
    [{ variables: { name: 'a\u0000' } }, 'variables.name holds a character that cannot be stored'],
  ])('refuses %j', async (body, message) => {
    await preview(await create(), body).expect(400, refused(message));
  });

  describe('in a send', () => {
    const render = (templateId: string, overrides: object, variables = {}) =>
      service.app.get(RenderTemplate, { strict: false }).render(account.id, templateId, overrides, variables);

    it("renders the request's parts instead of the template's", async () => {
      const id = await create();
      await expect(render(id, { subject: 'Re: {{name}}' }, { name: 'Ada' })).resolves.toEqual({
        subject: 'Re: Ada',
        html: '<p>Ada, </p>',
        text: 'Ada\n',
      });
      await expect(render(id, { html: '{{#name}}' })).rejects.toMatchObject({
        kind: 'invalid',
        message: 'html: Unclosed section "name" at 9',
      });
    });

    it('gives each of many concurrent callers the template of its own account', async () => {
      const mine = await create({ subject: 'Mine {{n}}' });
      const answers = await Promise.allSettled(
        Array.from({ length: 300 }, (_, n) => render(n % 3 === 0 ? 'cmissing00000000000000000' : mine, {}, { n })),
      );
      const subjects = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.subject : 'unknown'));
      expect(subjects).toEqual(Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? 'unknown' : `Mine ${n}`)));
    });
  });
});
