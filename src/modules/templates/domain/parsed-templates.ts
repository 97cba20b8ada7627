import { parseTemplate, type ParsedTemplate, type TemplateField } from './parse-template.js';

const MAX_CHARACTERS = 5_000_000;
/** What an entry takes beside its text. */
const ENTRY_COST = 500;

/** Keeps the templates used last in parsed form, so that a template is not parsed again for every message. */
export class ParsedTemplates {
  private readonly entries = new Map<string, ParsedTemplate>();
  private cost = 0;

  parse(field: TemplateField, template: string): ParsedTemplate {
    // A body may be longer than a subject: only what was parsed as the one is known to be good as the other.
    const key = `${field === 'subject' ? 'subject' : 'body'}:${template}`;
    const known = this.entries.get(key);
    const parsed = known ?? parseTemplate(field, template);
    if (known) this.entries.delete(key);
    else this.cost += costOf(key);
    this.entries.set(key, parsed);
    this.forgetOldest();
    return parsed;
  }

  private forgetOldest(): void {
    for (const key of this.entries.keys()) {
      if (this.cost <= MAX_CHARACTERS) return;
      this.entries.delete(key);
      this.cost -= costOf(key);
    }
  }
}

const costOf = (key: string): number => key.length + ENTRY_COST;
