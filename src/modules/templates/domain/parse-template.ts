import mustache, { type TemplateSpans } from 'mustache';

import { DomainError } from '../../../shared/domain-error.js';
import { type Tag, scanTags } from './scan-tags.js';
import {
  MAX_BODY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_NAMES,
  MAX_SECTION_DEPTH,
  MAX_SUBJECT_LENGTH,
  MAX_TAG_LENGTH,
} from './template-limits.js';

export const TEMPLATE_FIELDS = ['subject', 'html', 'text'] as const;
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];

export interface ParsedTemplate {
  tokens: TemplateSpans;
  /** Of its placeholders and sections, each once. */
  names: string[];
}

/** Throws invalid, naming the field, for what is malformed, too large or not offered (partials, other delimiters). */
export function parseTemplate(field: TemplateField, template: string): ParsedTemplate {
  const maxLength = field === 'subject' ? MAX_SUBJECT_LENGTH : MAX_BODY_LENGTH;
  if (template.length > maxLength) throw DomainError.invalid(`${field} is longer than ${maxLength} characters`);
  const names = checkTags(field, template);
  try {
    const tokens = new mustache.Writer().parse(template) as TemplateSpans;
    joinTexts(tokens);
    return { tokens, names };
  } catch (error) {
    throw DomainError.invalid(`${field}: ${explain((error as Error).message)}`);
  }
}

/** Mustache reads block helpers of other template languages as sections with such a name. */
const BLOCK_HELPER = /^(?:Unclosed|Unopened) section "(?:each|if|unless|with|for)\b/;

const explain = (message: string): string =>
  BLOCK_HELPER.test(message)
    ? `${message}. Templates are Mustache, which has no helpers: {{#items}}…{{/items}} repeats for each item and renders nothing for an empty list`
    : message;

function checkTags(field: TemplateField, template: string): string[] {
  const names = new Set<string>();
  let depth = 0;
  for (const tag of scanTags(template)) {
    const fault = faultOf(tag);
    if (!tag || fault !== null) throw DomainError.invalid(`${field} ${fault ?? ''}`);
    if (tag.sigil === '!') continue;
    if (tag.sigil === '#' || tag.sigil === '^') depth += 1;
    if (tag.sigil === '/') depth -= 1;
    if (depth > MAX_SECTION_DEPTH) {
      throw DomainError.invalid(`${field} nests sections more than ${MAX_SECTION_DEPTH} deep`);
    }
    if (tag.name !== '.') names.add(tag.name);
    if (names.size > MAX_NAMES) throw DomainError.invalid(`${field} has more than ${MAX_NAMES} variables`);
  }
  return [...names];
}

const PROPER_NAME = new RegExp(`^[^{}]{1,${MAX_NAME_LENGTH}}$`);

function faultOf(tag: Tag | null): string | null {
  if (!tag) return 'has a tag that is not closed';
  if (tag.sigil === '>') return 'must not use partials, {{> … }}';
  if (tag.sigil === '=') return 'must not change the delimiters, {{= … }}';
  if (tag.end - tag.start > MAX_TAG_LENGTH) return `has a tag of more than ${MAX_TAG_LENGTH} characters`;
  if (tag.sigil === '!' || PROPER_NAME.test(tag.name)) return null;
  return `has a tag whose name is not 1 to ${MAX_NAME_LENGTH} characters without braces`;
}

/** The parser adds texts up character by character; kept so, they take thirty times their size. Reading one joins it. */
function joinTexts(tokens: TemplateSpans): void {
  for (const [kind, value, , , inner] of tokens) {
    if (kind === 'text') value.charCodeAt(0);
    if (Array.isArray(inner)) joinTexts(inner);
  }
}
