import { DomainError } from '../../../shared/domain-error.js';
import { parseTemplate, TEMPLATE_FIELDS } from './parse-template.js';
import { MAX_SAMPLE_LENGTH } from './template-limits.js';

export interface TemplateParts {
  subject: string;
  html: string | null;
  text: string | null;
}

export interface NamedParts extends TemplateParts {
  name: string;
  /** For previews and tests. */
  sampleValues: Record<string, unknown>;
}

/** The subject and bodies of an e-mail, with {{placeholders}} for values of each recipient. */
export class Template implements NamedParts {
  id!: string;
  accountId!: string;
  name!: string;
  subject!: string;
  html!: string | null;
  text!: string | null;
  sampleValues!: Record<string, unknown>;
  createdAt!: Date;
  updatedAt!: Date;

  /** Throws `invalid` for parts that cannot be rendered. */
  static create(id: string, accountId: string, parts: NamedParts, now: Date): Template {
    requireValidParts(parts);
    requireShort(parts.sampleValues);
    return Object.assign(new Template(), { id, accountId, ...parts, createdAt: now, updatedAt: now });
  }

  /** Absent parts are kept. Throws `invalid` like `create`, and then changes nothing. */
  change(parts: Partial<NamedParts>, now: Date): void {
    const { name = this.name, subject = this.subject, html = this.html, text = this.text } = parts;
    const { sampleValues = this.sampleValues } = parts;
    requireValidParts({ subject, html, text });
    requireShort(sampleValues);
    Object.assign(this, { name, subject, html, text, sampleValues, updatedAt: now });
  }

  /** The names of all placeholders and sections, sorted. */
  get variables(): string[] {
    const names = TEMPLATE_FIELDS.flatMap((field) => parseTemplate(field, this[field] ?? '').names);
    return [...new Set(names)].sort();
  }
}

function requireShort(sampleValues: Record<string, unknown>): void {
  if (JSON.stringify(sampleValues).length > MAX_SAMPLE_LENGTH)
    throw DomainError.invalid(`sampleValues is longer than ${MAX_SAMPLE_LENGTH} characters of JSON`);
}

/** Throws `invalid` for parts that cannot be rendered. */
export function requireValidParts(parts: TemplateParts): void {
  if (parts.html === null && parts.text === null) throw DomainError.invalid('html or text is required');
  for (const field of TEMPLATE_FIELDS) parseTemplate(field, parts[field] ?? '');
}
