import { beforeAll, describe, expect, it } from '@jest/globals';

import templates from '../../texts/en/templates.json' with { type: 'json' };
import { loadEnglish } from '../../texts/load-english';
import { templateWarnings } from './template-warnings';

const LINK = '<a href="{{unsubscribeUrl}}">Unsubscribe</a>';

const warnings = (html: string, text = 'Hello {{ unsubscribeUrl }}', renderedHtml: string | null = null) =>
  templateWarnings({ html, text, renderedHtml });

beforeAll(() => loadEnglish({ templates }));

describe('The warnings about a template', () => {
  it('are none for a complete one, and for an empty one', () => {
    expect(warnings(`<p>Hello</p><img src="a.png" alt="Logo"><img alt src="b.png"/>${LINK}`)).toEqual([]);
    expect(warnings('', '')).toEqual([]);
  });

  it('name the size of the message as it is sent', () => {
    expect(warnings('<p>{{story}}</p>', undefined, `<p>${'é'.repeat(60_000)}</p>`)).toEqual([
      'The HTML is 121 kB. Gmail clips messages above 102 kB.',
    ]);
    expect(warnings('<p>{{story}}</p>', undefined, `<p>${'e'.repeat(101_000)}</p>`)).toEqual([]);
    expect(warnings('<p>{{story}}</p>', undefined, `<p>${'e'.repeat(102_000)}</p>`)).toHaveLength(1);
  });

  it('miss a plain text and an unsubscribe link', () => {
    expect(warnings('<p>Hello</p>', '')).toEqual([
      expect.stringMatching(/^The plain text is generated from the HTML/),
      expect.stringMatching(/^There is no unsubscribe link/),
    ]);
    expect(warnings('', 'Unsubscribe: {{{unsubscribeUrl}}}')).toEqual([]);
  });

  it('count images without alternative text', () => {
    expect(warnings('<img src="a"><IMG\nsrc="b" data-alt="x"><img alt="" src="c"><imgage>')).toEqual([
      expect.stringMatching(/^2 images have no alternative text/),
    ]);
    expect(warnings('<img src="a">')).toEqual([expect.stringMatching(/^One image has/)]);
  });
});
