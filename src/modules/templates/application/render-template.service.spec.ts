import { describe, expect, it } from '@jest/globals';

import { watchIterations } from '../../../../test/support/event-loop.js';
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
    expect(await render.draft({ subject: 'S', html: null, text: '{{a}}' }, { a: 1 })).toMatchObject({ text: '1' });
    const empty = render.draft({ subject: 'S', html: null, text: null }, {});
    await expect(empty).rejects.toThrow('html or text is required');
  });

  it('renders one preview per iteration of the event loop, so that many do not block it longer than one', async () => {
    const order: string[] = [];
    const renderAll = () => {
      const previews = [1, 2].map(() => render.preview('account', 'template', {}));
      const drafts = [1, 2].map((a) => render.draft({ subject: 'S', html: null, text: '{{a}}' }, { a }));
      return Promise.all([...previews, ...drafts].map((preview) => preview.then(() => order.push('preview'))));
    };
    await watchIterations(renderAll, () => order.push('iteration'));
    for (const [i, name] of order.entries()) if (name === 'preview') expect(order[i - 1]).toBe('iteration');
    expect(order.filter((name) => name === 'preview')).toHaveLength(4);
  });

  it('renders parts without a template, even without a body', () => {
    const parts = render.renderParts({ subject: '{{a}}', html: null, text: null }, { a: 'S' });
    expect(parts).toEqual({ subject: 'S', html: null, text: null });
    expect(() => render.renderParts({ subject: '{{#a}}', html: null, text: null }, {})).toThrow(DomainError);
  });
});
