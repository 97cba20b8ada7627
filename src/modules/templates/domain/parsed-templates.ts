import { LRUCache } from 'lru-cache';

import { parseTemplate, type ParsedTemplate, type TemplateField } from './parse-template.js';

const MAX_CHARACTERS = 5_000_000;
/** Size of an entry besides its text. */
const ENTRY_COST = 500;

/** Caches recently used templates in parsed form, so that a template is not parsed for every message. */
export class ParsedTemplates {
  private readonly entries = new LRUCache<string, ParsedTemplate>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_parsed, key) => key.length + ENTRY_COST,
  });

  parse(field: TemplateField, template: string): ParsedTemplate {
    // A body may be longer than a subject, so a template that is valid as the one need not be valid as the other.
    const key = `${field === 'subject' ? 'subject' : 'body'}:${template}`;
    const cached = this.entries.get(key);
    if (cached) return cached;
    const parsed = parseTemplate(field, template);
    this.entries.set(key, parsed);
    return parsed;
  }
}
