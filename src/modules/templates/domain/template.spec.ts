import { describe, expect, it } from '@jest/globals';

import { Template } from './template.js';

const PARTS = {
  name: 'Welcome',
  subject: '{{b}} {{a}}',
  html: '{{#list}}{{a}}{{/list}}',
  text: null,
  sampleValues: {},
};
const create = () => Template.create('id', 'account', PARTS, new Date(0));

describe('Template', () => {
  it('lists the variables of all parts once, sorted', () => {
    expect(create().variables).toEqual(['a', 'b', 'list']);
  });

  it('keeps absent parts and clears those that are null', () => {
    const template = create();
    template.change({ html: null, text: 'Hi' }, new Date(1));
    expect(template).toMatchObject({ subject: PARTS.subject, html: null, text: 'Hi', updatedAt: new Date(1) });
  });

  it.each([
    ['no body', { html: null }, 'html or text is required'],
    ['a malformed part', { text: '{{#a}}' }, 'text: Unclosed section "a"'],
  ])('refuses a change that leaves %s, and changes nothing', (_, change, message) => {
    const template = create();
    expect(() => {
      template.change(change, new Date(1));
    }).toThrow(message);
    expect(template).toEqual(create());
  });
});
