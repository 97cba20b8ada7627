import mustache, { type TemplateSpans } from 'mustache';

import { DomainError } from '../../../shared/domain-error.js';
import { type Tag, scanTags } from './scan-tags.js';
import { shortenTexts } from './shorten-texts.js';
import {
  MAX_BODY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_NAMES,
  MAX_SECTION_DEPTH,
  MAX_SUBJECT_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
} from './template-limits.js';

export const TEMPLATE_FIELDS = ['subject', 'html', 'text'] as const;
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];

export interface ParsedTemplate {
  tokens: TemplateSpans;
  /** The names of placeholders and sections, each once. */
  names: string[];
}

/** Throws `invalid`, naming the field, if it is malformed, too large or uses partials or other delimiters. */
export function parseTemplate(field: TemplateField, template: string): ParsedTemplate {
  const maxLength = field === 'subject' ? MAX_SUBJECT_LENGTH : MAX_BODY_LENGTH;
  if (template.length > maxLength) throw templateFault(`${field} is longer than ${maxLength} characters`);
  const { tags, names } = checkTags(field, template);
  const { short, restore, originalOf } = shortenTexts(template, tags);
  try {
    const tokens = new mustache.Writer().parse(short) as TemplateSpans;
    restore(tokens);
    return { tokens, names };
  } catch (error) {
    const message = (error as Error).message.replace(/(?<= at )\d+$/, (at) => String(originalOf(Number(at))));
    throw templateFault(`${field}: ${explain(message)}`);
  }
}

/** The names of a template that is known to be valid, as `parseTemplate` has them. */
export const namesIn = (field: TemplateField, template: string): string[] => checkTags(field, template).names;

/** Mustache parses block helpers of other template languages as sections with such a name. */
const BLOCK_HELPER = /^(?:Unclosed|Unopened) section "(?:each|if|unless|with|for)\b/;

const explain = (message: string): string =>
  BLOCK_HELPER.test(message)
    ? `${message}. Templates are Mustache, which has no helpers: {{#items}}…{{/items}} repeats for each item and renders nothing for an empty list`
    : message;

function checkTags(field: TemplateField, template: string): { tags: Tag[]; names: string[] } {
  const tags: Tag[] = [];
  const names = new Set<string>();
  let depth = 0;
  for (const tag of scanTags(template)) {
    const fault = faultOf(tag);
    if (!tag || fault !== null) throw templateFault(`${field} ${fault ?? ''}`);
    tags.push(tag);
    if (tags.length > MAX_TAGS) throw templateFault(`${field} has more than ${MAX_TAGS} tags`);
    if (tag.sigil === '!') continue;
    if (tag.sigil === '#' || tag.sigil === '^') depth += 1;
    if (tag.sigil === '/') depth -= 1;
    if (depth > MAX_SECTION_DEPTH) {
      throw templateFault(`${field} nests sections more than ${MAX_SECTION_DEPTH} deep`);
    }
    if (tag.name !== '.') names.add(tag.name);
    if (names.size > MAX_NAMES) throw templateFault(`${field} has more than ${MAX_NAMES} variables`);
  }
  return { tags, names: [...names] };
}

const templateFault = (message: string) => DomainError.invalid(message, 'template_fault');

const PROPER_NAME = new RegExp(`^[^{}]{1,${MAX_NAME_LENGTH}}$`);

function faultOf(tag: Tag | null): string | null {
  if (!tag) return 'has a tag that is not closed';
  if (tag.sigil === '>') return 'must not use partials, {{> … }}';
  if (tag.sigil === '=') return 'must not change the delimiters, {{= … }}';
  if (tag.end - tag.start > MAX_TAG_LENGTH) return `has a tag of more than ${MAX_TAG_LENGTH} characters`;
  if (tag.sigil === '!' || PROPER_NAME.test(tag.name)) return null;
  return `has a tag whose name is not 1 to ${MAX_NAME_LENGTH} characters without braces`;
}
