import { LRUCache } from 'lru-cache';

import { parseTemplate, type ParsedTemplate, type TemplateField } from './parse-template.js';

const MAX_CHARACTERS = 5_000_000;
/** Size of an entry besides its text. */
const ENTRY_COST = 500;

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
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_parsed, template) => template.length + ENTRY_COST,
  });
