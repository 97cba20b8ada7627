import { beforeAll, describe, expect, it } from '@jest/globals';

import templates from '../../texts/en/templates.json' with { type: 'json' };
import { loadEnglish } from '../../texts/load-english';
import { templateFaults } from './template-faults';

beforeAll(() => loadEnglish({ templates }));

describe('The faults of a template', () => {
  it.each([
    ['<p>{{name}} {{{raw}}} {{& raw}} {{! a comment }}</p>'],
    ['{{#items}}{{name}}{{^last}}, {{/last}}{{/items}}'],
    ['no tags { at } all'],
  ])('are none in %s', (template) => {
    expect(templateFaults(template)).toEqual([]);
  });

  it.each([
    ['Hello {{name', 6, 8, 'The placeholder is not closed: }} is missing.'],
    ['Hello {{{name}}', 6, 9, 'The placeholder is not closed: }}} is missing.'],
    ['{{#items}}x', 0, 10, '“items” is not closed: {{/items}} is missing.'],
    ['x{{/items}}', 1, 11, 'This closes “items”, which is not open.'],
    ['{{ }}', 0, 5, 'The name is missing.'],
    ['{{> footer}}', 0, 12, 'Partials are not supported.'],
    ['{{=<% %>=}}', 0, 11, 'Other delimiters are not supported.'],
  ])('of %s are at %d to %d', (template, from, to, message) => {
    expect(templateFaults(template)).toEqual([{ from, to, message }]);
  });

  it('are in their order, each section with its own', () => {
    expect(templateFaults('{{#a}}{{#b}}{{/a}}').map(({ message }) => message)).toEqual([
      '“a” is not closed: {{/a}} is missing.',
      '“b” is not closed: {{/b}} is missing.',
      'This closes “a”, but “b” is open.',
    ]);
  });
});
