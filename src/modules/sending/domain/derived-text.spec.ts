import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { deriveText } from '../../../mail/writing/derive-text.js';
import { DerivedText } from './derived-text.js';

/** Fills in placeholders like the templates do, for values that need no escapes. */
const renderer = (html: string) => (values: Record<string, string>) =>
  Promise.resolve(html.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''));

const URL = 'https://example.com/u/aB-_9';

async function fill(html: string, values: Record<string, string>): Promise<string | null> {
  const derived = await DerivedText.from('account', Object.keys(values), renderer(html));
  return derived?.fill(values) ?? null;
}

describe('DerivedText', () => {
  it('has the values where the text of each message would have them', async () => {
    const html =
      '<h1>Hello {firstName}</h1><p>News  for\n{firstName}\t{lastName}.</p><a href="{unsubscribeUrl}">Unsubscribe</a>';
    expect(await fill(html, { firstName: 'Ada Maß', lastName: 'King', unsubscribeUrl: URL })).toBe(
      `HELLO ADA MASS\n\nNews for Ada Maß King.\n\nUnsubscribe [${URL}]`,
    );
  });

  it('shows a link once whose text is its URL', async () => {
    const html = '<a href="{unsubscribeUrl}">{unsubscribeUrl}</a>';
    expect(await fill(html, { unsubscribeUrl: URL })).toBe(URL);
  });

  it('leaves messages with a value in a link to themselves', async () => {
    expect(await fill('<a href="mailto:{email}">{email}</a>', { email: 'ada@example.com' })).toBeNull();
  });

  it.each(['', ' Ada', 'Ada ', 'Ada  King', 'Ada\nKing', 'A<b', 'R&D', `O'Neil`, 'a/b', 'a="b"', '\u00a0'])(
    'leaves a message with the value %j to itself',
    async (firstName) => {
      expect(await fill('<p>Hello {firstName}</p>', { firstName })).toBeNull();
    },
  );

  /** To search from each of them for a value takes minutes. */
  it('is found in a moment for HTML of nothing but openings', async () => {
    expect(await fill(`{firstName}${'<'.repeat(400_000)}`, { firstName: 'Ada' })).toMatch(/^Ada<<<+$/);
  });

  it('leaves long texts to themselves', async () => {
    expect(await fill('word '.repeat(100_001), {})).toBeNull();
  });

  const value = fc.constantFrom('Ada', 'Ada King', 'ﬁ ß ǆ', 'a.b@example.com', '李雷', 'Ltd. (UK), 100%');
  const piece = fc.oneof(
    fc.constantFrom('{firstName}', '{company}', ' {firstName} ', '\n{company}', ' ', 'Text', '&amp;', '<br>', '<hr>'),
    fc.constantFrom('<p>', '</p>', '<h2>', '</h2>', '<ol>', '</ol>', '<li>', '<pre>', '</pre>', '<td>', '<blockquote>'),
    fc.constantFrom('<a href="{unsubscribeUrl}">', '</a>', '<a href="mailto:{company}">', '<img alt="{company}">'),
    fc.constantFrom('<title>{company}</title>', '<style>{company}</style>', '<!-- {company} -->'),
  );

  it('equals the text derived from each message', async () => {
    const template = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(template, value, value, async (html, firstName, company) => {
        const values = { firstName, company, unsubscribeUrl: URL };
        const filled = await fill(html, values);
        if (filled !== null) expect(filled).toBe(deriveText(await renderer(html)(values)));
      }),
    );
  });
});
