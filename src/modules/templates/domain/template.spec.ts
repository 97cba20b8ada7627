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

  it('has a new version after a change of any part, and the same one if nothing changes', () => {
    const template = create();
    expect(template.toVersion()).toEqual({ ...PARTS, version: 1, savedAt: new Date(0) });
    for (const same of [{}, PARTS, { sampleValues: {} }]) expect(template.change(same, new Date(1))).toBe(false);
    expect(template).toEqual(create());
    const changes = [{ name: 'Hello' }, { subject: 'Hi' }, { html: 'Hi' }, { text: 'Hi' }, { sampleValues: { a: 1 } }];
    for (const change of changes) expect(template.change(change, new Date(2))).toBe(true);
    expect(template).toMatchObject({ version: 6, updatedAt: new Date(2) });
  });

  it('compares sample values as they are stored, where JSON has no negative zero and no infinity', () => {
    const template = create();
    template.change({ sampleValues: { a: -0, b: [Infinity] } }, new Date(1));
    expect(template.sampleValues).toEqual({ a: 0, b: [null] });
    expect(template.change({ sampleValues: { a: -0, b: [Infinity] } }, new Date(2))).toBe(false);
  });

  it('refuses a change that leaves no body, and changes nothing', () => {
    const template = create();
    expect(() => {
      template.change({ html: null }, new Date(1));
    }).toThrow('html or text is required');
    expect(template).toEqual(create());
  });
});
