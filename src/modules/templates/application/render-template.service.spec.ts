import { describe, expect, it } from '@jest/globals';

import { DomainError } from '../../../shared/domain-error.js';
import { Template } from '../domain/template.js';
import type { TemplateRepository } from './ports/template.repository.js';
import { RenderTemplate } from './render-template.service.js';

const PARTS = { name: 'Welcome', subject: 'Hi {{name}}', html: '<p>{{name}}</p>', text: null, sampleValues: {} };
const TEMPLATE = Template.create('template', 'account', PARTS, new Date(0));

const render = new RenderTemplate({
  find: (accountId: string, id: string) =>
    Promise.resolve(accountId === 'account' && id === 'template' ? TEMPLATE : null),
} as TemplateRepository);

describe('RenderTemplate', () => {
  it('fills in the parts of a template and escapes values in HTML only', async () => {
    expect(await render.render('account', 'template', {}, { name: 'Ada & Co' })).toEqual({
      subject: 'Hi Ada & Co',
      html: '<p>Ada &amp; Co</p>',
      text: null,
    });
  });

  it('uses an override instead of the part of the template', async () => {
    const parts = await render.render(
      'account',
      'template',
      { subject: 'Bye {{name}}', text: '{{name}}' },
      { name: 'A' },
    );
    expect(parts).toEqual({ subject: 'Bye A', html: '<p>A</p>', text: 'A' });
  });

  it('refuses the template of another account: invalid in a send, not found in a preview', async () => {
    await expect(render.render('other', 'template', {}, {})).rejects.toMatchObject({
      kind: 'invalid',
      message: 'templateId: template not found',
    });
    await expect(render.preview('other', 'template', {})).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('refuses a value that would end the subject header', async () => {
    const rendering = render.render('account', 'template', {}, { name: 'Ada\r\nBcc: all@example.org' });
    await expect(rendering).rejects.toThrow('subject must not hold line breaks');
  });

  it('previews drafts that could be saved, and no others', async () => {
    expect(await render.draft('account', { subject: 'S', html: null, text: '{{a}}' }, { a: 1 })).toMatchObject({
      text: '1',
    });
    const empty = render.draft('account', { subject: 'S', html: null, text: null }, {});
    await expect(empty).rejects.toThrow('html or text is required');
  });

  it('renders parts without a template, even without a body', async () => {
    const parts = await render.renderParts('account', { subject: '{{a}}', html: null, text: null }, { a: 'S' });
    expect(parts).toEqual({ subject: 'S', html: null, text: null });
    const open = render.renderParts('account', { subject: '{{#a}}', html: null, text: null }, {});
    await expect(open).rejects.toThrow(DomainError);
  });

  describe('of a costly mail', () => {
    /** Each item takes seven steps to render. */
    const PARTS_OF_ITEMS = { subject: 'S', html: null, text: '{{#items}}{{a}} {{b}}{{/items}}' };
    const items = (count: number) => ({ items: Array.from({ length: count }, () => ({ a: 1, b: 2 })) });

    it('refuses what takes more steps than the limit, in all parts together', async () => {
      const both = { ...PARTS_OF_ITEMS, html: PARTS_OF_ITEMS.text };
      await render.renderParts('account', PARTS_OF_ITEMS, items(5_000));
      const refusal = { kind: 'invalid', message: expect.stringContaining('take more than 50000 steps') as unknown };
      await expect(render.renderParts('account', both, items(5_000))).rejects.toMatchObject(refusal);
      await expect(render.preview('account', 'template', {})).resolves.toBeDefined();
      await expect(render.draft('account', both, items(5_000))).rejects.toMatchObject(refusal);
    });
  });
});
