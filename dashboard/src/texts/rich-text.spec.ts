import { describe, expect, it } from '@jest/globals';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import campaigns from './en/campaigns.json' with { type: 'json' };
import webhooks from './en/webhooks.json' with { type: 'json' };
import { loadEnglish } from './load-english';
import { RichText } from './rich-text';

loadEnglish({ campaigns, webhooks });

const htmlOf = (text: ReactNode) => renderToStaticMarkup(createElement(I18nProvider, { i18n }, text));
const escaped = (text: string) => htmlOf(createElement('b', null, text)).slice('<b>'.length, -'</b>'.length);

describe('RichText', () => {
  it.each(['<link>x</link>', '<link>', '<0/>', '<1/>', '<constructor/>', '<b>x</b>', '</b>', '{time}', '& "x"'])(
    'shows the value %s as text',
    (reason) => {
      const time = createElement('time', null, 'today');
      const html = htmlOf(createElement(RichText, { id: 'webhooks.disabled.byService', values: { reason, time } }));
      expect(html).toBe(
        `${escaped(reason)}, <time>today</time>. Pending deliveries and new events are kept for 14 days.`,
      );
    },
  );

  it('shows a value within a tag as text', () => {
    const html = htmlOf(
      createElement(RichText, {
        id: 'common.shortcuts.section',
        values: { key: '</key><0/>' },
        tags: { key: createElement('kbd') },
      }),
    );
    expect(html).toBe(`<kbd>G</kbd> then <kbd>${escaped('</key><0/>')}</kbd>`);
  });

  it('isolates a value that would reverse what follows', () => {
    const tags = { key: createElement('kbd') };
    const html = htmlOf(createElement(RichText, { id: 'common.shortcuts.section', values: { key: 'a\u202eb' }, tags }));
    expect(html).toContain('\u2068a\u202eb\u2069');
  });

  it('counts with numbers', () => {
    const values = { active: 1234, suppressed: 1 };
    const tags = { b: createElement('b') };
    expect(htmlOf(createElement(RichText, { id: 'campaigns.audience.countWithout', values, tags }))).toBe(
      '<b>1,234 recipients</b>, without 1 suppressed contact',
    );
  });
});
