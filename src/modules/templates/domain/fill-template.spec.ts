import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { budget } from '../../../../test/support/budget.js';
import { DomainError } from '../../../shared/domain-error.js';
import { fillTemplate, RenderSteps, TooManySteps } from './fill-template.js';
import { parseTemplate, type TemplateField } from './parse-template.js';
import { MAX_RENDER_STEPS } from './template-limits.js';

const fill = (field: TemplateField, template: string, variables: Record<string, unknown>): string =>
  fillTemplate(field, parseTemplate(field, template), variables, new RenderSteps(MAX_RENDER_STEPS));
const html = (template: string, variables: Record<string, unknown> = {}) => fill('html', template, variables);

describe('fillTemplate', () => {
  it('escapes values in html, not in subject and text', () => {
    const variables = { name: `<b>"Ada" & 'Co'</b>` };
    expect(html('{{name}}', variables)).toBe('&lt;b&gt;&quot;Ada&quot; &amp; &#39;Co&#39;&lt;&#x2F;b&gt;');
    expect(fill('subject', 'Dear {{name}}', variables)).toBe(`Dear <b>"Ada" & 'Co'</b>`);
    expect(fill('text', 'Dear {{name}}', variables)).toBe(`Dear <b>"Ada" & 'Co'</b>`);
  });

  it('does not escape {{{x}}} and {{&x}}', () => {
    expect(html('{{{x}}}|{{&x}}|{{& x }}', { x: '<i>' })).toBe('<i>|<i>|<i>');
  });

  it('renders missing variables empty', () => {
    expect(html('[{{a}}|{{{a}}}|{{a.b.c}}|{{#a}}x{{/a}}|{{^a}}none{{/a}}]')).toBe('[||||none]');
    expect(html('[{{a}}|{{a.b}}]', { a: null })).toBe('[|]');
  });

  describe('the names that have no value', () => {
    const missingIn = (template: string, variables: Record<string, unknown> = {}): string[] => {
      const missing = new Set<string>();
      fillTemplate('html', parseTemplate('html', template), variables, new RenderSteps(MAX_RENDER_STEPS), missing);
      return [...missing];
    };

    it.each([
      ['{{b}} {{a}} {{{b}}} {{&c}}', {}, ['b', 'a', 'c']],
      ['{{a}}{{b}}{{c}}{{d}}', { a: '', b: 0, c: false, d: 'x' }, []],
      ['{{a}}{{b}}{{c}}', { a: null, b: ['x'], c: { d: 1 } }, ['a', 'b', 'c']],
      ['{{user.name}} {{user.city}}', { user: { name: 'Ada' } }, ['user.city']],
      ['{{constructor}} {{user.toString}}', { user: {} }, ['constructor', 'user.toString']],
      ['{{#vip}}{{level}}{{/vip}}', {}, []],
      ['{{#vip}}{{level}}{{/vip}}', { vip: true }, ['level']],
      ['{{^vip}}{{offer}}{{/vip}}', {}, ['offer']],
      ['{{^vip}}{{offer}}{{/vip}}', { vip: true }, []],
      ['{{#items}}{{title}}{{shop}}{{.}}{{/items}}', { items: [{ title: 'Pen' }, {}], shop: 'S' }, ['title']],
      ['{{#items}}{{title}}{{/items}}', { items: [] }, []],
      ['{{! city }}', {}, []],
    ])('of %j with %j are %j', (template, variables, names) => {
      expect(missingIn(template, variables)).toEqual(names);
    });
  });

  it('renders dotted names, lists, list items and nested sections', () => {
    const variables = {
      user: { name: 'Ada' },
      items: [{ title: 'Pen', tags: ['a', 'b'] }, { title: 'Ink' }],
      paid: true,
      total: 9.5,
    };
    expect(
      html('{{user.name}}: {{#items}}{{title}}{{#tags}} {{.}}{{/tags}} for {{user.name}}; {{/items}}', variables),
    ).toBe('Ada: Pen a b for Ada; Ink for Ada; ');
    expect(html('{{items.1.title}} {{#paid}}{{total}}{{/paid}}{{^paid}}open{{/paid}} {{paid}}', variables)).toBe(
      'Ink 9.5 true',
    );
  });

  it('renders lists and objects used as values empty', () => {
    expect(html('[{{a}}{{{a}}}{{b}}{{{b}}}{{.}}]', { a: ['x'], b: { toString: 'x', valueOf: 'y' } })).toBe('[]');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'constructor.name', 'a.__proto__', 's.length'])(
    'finds nothing inherited under %s',
    (name) => {
      expect(html(`[{{${name}}}{{#${name}}}x{{/${name}}}]`, { a: {}, s: 'text' })).toBe('[]');
    },
  );

  it('renders an own property named like one of the prototype', () => {
    expect(html('{{constructor}} {{__proto__.x}}', JSON.parse('{"constructor":"c","__proto__":{"x":1}}'))).toBe('c 1');
  });

  it('never calls a function', () => {
    const f = () => {
      throw new Error('called');
    };
    expect(html('[{{f}}{{#f}}x{{/f}}{{a.f}}]', { f, a: { f } })).toBe('[]');
  });

  it('refuses a subject to which a value adds a line break or too many characters', () => {
    for (const name of ['Ada\r\nBcc: eve@example.com', 'Ada\n', 'a\u0000', 'a\u2028b']) {
      expect(() => fill('subject', 'Dear {{name}}', { name })).toThrow(
        'subject must not hold line breaks or control characters once its variables are filled in',
      );
    }
    expect(() => fill('subject', 'Dear {{name}}', { name: 'x'.repeat(994) })).toThrow(
      'subject is longer than 998 characters once its variables are filled in',
    );
    expect(fill('subject', 'Dear {{name}}', { name: 'x'.repeat(993) })).toHaveLength(998);
  });

  it('stops rendering nested lists that become too large', () => {
    const a = Array.from({ length: 1_000 }, () => ({}));
    const nested = (inner: string) => '{{#a}}'.repeat(10) + inner + '{{/a}}'.repeat(10);
    expect(() => html(nested('x'.repeat(1_000)), { a })).toThrow(
      'html is longer than 1000000 characters once its variables are filled in',
    );
    expect(() => html(nested(''), { a })).toThrow(TooManySteps);
    expect(() => html(nested('{{missing.b.c.d}}'), { a })).toThrow(TooManySteps);
    expect(() => html('{{x}}'.repeat(10), { x: '<'.repeat(100_000) })).toThrow(
      'html is longer than 1000000 characters',
    );
  });

  it('counts the steps of all parts together', () => {
    const steps = new RenderSteps(100);
    const part = parseTemplate('html', '{{a}}'.repeat(20)); // 20 tags, 20 look-ups, one list of tags
    fillTemplate('html', part, {}, steps);
    fillTemplate('text', part, {}, steps);
    expect(() => fillTemplate('text', part, {}, steps)).toThrow(TooManySteps);
  });

  it('renders a large template with many rows', () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ name: `Item ${i}`, price: i }));
    expect(html('{{#rows}}<tr><td>{{name}}</td><td>{{price}}</td></tr>\n{{/rows}}', { rows })).toContain(
      '<tr><td>Item 2999</td><td>2999</td></tr>\n',
    );
  });

  const name = fc.constantFrom('a', 'b', 'a.b', 'b.a.0', '.', 'constructor', '__proto__', 'toString', 'length');
  const piece = fc.oneof(
    name.map((x) => `{{${x}}}`),
    name.map((x) => `{{#${x}}}[{{.}}{{a}}]{{/${x}}}`),
    name.map((x) => `{{^${x}}}({{b}}){{/${x}}}`),
    fc.constantFrom(' ', '\n', 'text'),
  );
  const template = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
  const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString', 'valueOf', '0'), fc.string());
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'x') }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const variables = fc.dictionary(key, json) as fc.Arbitrary<Record<string, unknown>>;

  it('escapes values in HTML for any template and variables', () => {
    fc.assert(
      fc.property(template, variables, (text, values) => {
        const rendered = html(text, values);
        expect(rendered).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39|#x2F|#x60|#x3D);)/);
      }),
      { numRuns: budget({ quick: 25, soak: 2_000 }) },
    );
  });

  it('renders a subject of one line for any variables, or refuses them', () => {
    fc.assert(
      fc.property(template, variables, (text, values) => {
        try {
          expect(fill('subject', text, values)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
      }),
      { numRuns: budget({ quick: 25, soak: 1_000 }) },
    );
  });
});
