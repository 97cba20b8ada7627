import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import mustache, { type TemplateSpans } from 'mustache';

import { budget } from '../../../../test/support/budget.js';
import { DomainError } from '../../../shared/domain-error.js';
import { parseTemplate } from './parse-template.js';
import { scanTags } from './scan-tags.js';

const namesOf = (template: string) => parseTemplate('html', template).names;
const fault = (template: string): string => {
  try {
    parseTemplate('html', template);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

describe('parseTemplate', () => {
  it('lists placeholders and sections once each, but neither comments nor the current item', () => {
    expect(
      namesOf('{{ a }} {{{b}}} {{& c}} {{#list}}{{.}}{{x.y}}{{/list}}{{^list}}{{a}}{{/list}} {{! note }}'),
    ).toEqual(['a', 'b', 'c', 'list', 'x.y']);
  });

  it.each([
    ['Hello {{name', 'html has a tag that is not closed'],
    ['Hello {{{name}}', 'html has a tag that is not closed'],
    ['{{#items}}', 'html: Unclosed section "items" at 10'],
    ['{{/items}}', 'html: Unopened section "items" at 0'],
    ['{{#a}}{{#b}}{{/a}}{{/b}}', 'html: Unclosed section "b" at 12'],
    ['{{> footer}}', 'html must not use partials, {{> … }}'],
    ['{{ > footer }}', 'html must not use partials, {{> … }}'],
    ['{{=<% %>=}}', 'html must not change the delimiters, {{= … }}'],
    ['{{}}', 'html has a tag whose name is not 1 to 100 characters without braces'],
    ['{{# }}{{/ }}', 'html has a tag whose name is not 1 to 100 characters without braces'],
    [`{{${'n'.repeat(101)}}}`, 'html has a tag whose name is not 1 to 100 characters without braces'],
    [`{{a${' '.repeat(1_000)}}}`, 'html has a tag of more than 1000 characters'],
    ['{{#a}}'.repeat(11) + '{{/a}}'.repeat(11), 'html nests sections more than 10 deep'],
    [Array.from({ length: 501 }, (_, i) => `{{v${i}}}`).join(''), 'html has more than 500 variables'],
    ['x'.repeat(500_001), 'html is longer than 500000 characters'],
  ])('refuses %.40s', (template, message) => {
    expect(fault(template)).toBe(message);
  });

  it('accepts braces that are no tags', () => {
    expect(namesOf('<style>@media print{.a{color:red}}</style>{ {not} } }}')).toEqual([]);
  });

  const piece = fc.constantFrom('{{', '}}', '{{{', '}}}', '{', '}', '#', '^', '/', '&', '!', '.', ' ', '\n', 'a', 'b', '{{#a}}', '{{/a}}', '{{b}}'); // prettier-ignore
  const templates = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('parses any text or throws a DomainError', () => {
    fc.assert(
      fc.property(templates, (template) => {
        try {
          parseTemplate('html', template);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
      { numRuns: budget({ quick: 25, soak: 2_000 }) },
    );
  });

  it('finds the same tags as mustache', () => {
    fc.assert(
      fc.property(templates, (template) => {
        let tokens: TemplateSpans;
        try {
          parseTemplate('html', template);
          tokens = flat(new mustache.Writer().parse(template));
        } catch {
          return;
        }
        const seen = [...scanTags(template)].filter((tag) => tag!.sigil !== '/');
        expect(seen.map((tag) => [tag!.name, tag!.start, tag!.end])).toEqual(
          tokens.filter(([kind]) => kind !== 'text').map(([, name, start, end]) => [name, start, end]),
        );
      }),
      { numRuns: budget({ quick: 25, soak: 2_000 }) },
    );
  });
});

const flat = (tokens: TemplateSpans): TemplateSpans =>
  tokens.flatMap((token) => (Array.isArray(token[4]) ? [token, ...flat(token[4])] : [token]));
