import { LRUCache } from 'lru-cache';
import type { TemplateSpans } from 'mustache';

import { parseTemplate, type ParsedTemplate, type TemplateField } from './parse-template.js';

/** The maximum size of each cache. */
const MAX_BYTES = 16_000_000;
/** Sizes of an entry besides its text, and of a token: an array with its numbers and strings. */
const ENTRY_BYTES = 500;
const TOKEN_BYTES = 120;

/** Caches recently used templates in parsed form, so that a template is not parsed for every message. */
export class ParsedTemplates {
  /** A body may be longer than a subject, so a template that is valid as the one need not be valid as the other. */
  private readonly subjects = newCache();
  private readonly bodies = newCache();

  /** The key is the template itself: the hash of a string that is used again is known. */
  parse(field: TemplateField, template: string): ParsedTemplate {
    const cache = field === 'subject' ? this.subjects : this.bodies;
    const cached = cache.get(template);
    if (cached) return cached;
    const parsed = parseTemplate(field, template);
    cache.set(template, parsed);
    return parsed;
  }
}

const newCache = () =>
  new LRUCache<string, ParsedTemplate>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ tokens }, template) => ENTRY_BYTES + template.length + TOKEN_BYTES * countTokens(tokens),
  });

/** Sections hold tokens. */
const countTokens = (tokens: TemplateSpans): number =>
  tokens.reduce((count, [, , , , inner]) => count + 1 + (Array.isArray(inner) ? countTokens(inner) : 0), 0);
