import { isDeepStrictEqual } from 'node:util';

import { DomainError } from '../../../shared/domain-error.js';
import { namesIn, TEMPLATE_FIELDS } from './parse-template.js';
import { MAX_SAMPLE_LENGTH } from './template-limits.js';

export interface TemplateParts {
  subject: string;
  html: string | null;
  text: string | null;
}

export interface NamedParts extends TemplateParts {
  name: string;
  /** Values for previews and tests. */
  sampleValues: Record<string, unknown>;
}

/** The content of a template from one save to the next. */
export interface TemplateVersion extends NamedParts {
  /** Counts from 1. */
  version: number;
  savedAt: Date;
}

/** A version in a list, without its bodies. */
export type TemplateVersionSummary = Pick<TemplateVersion, 'version' | 'name' | 'subject' | 'savedAt'>;

/** The subject and bodies of an e-mail, with {{placeholders}} for values of each recipient. */
export class Template implements NamedParts {
  id!: string;
  accountId!: string;
  name!: string;
  subject!: string;
  html!: string | null;
  text!: string | null;
  sampleValues!: Record<string, unknown>;
  /** The number of the newest version, which is what the template contains. */
  version!: number;
  createdAt!: Date;
  /** The time when the newest version was saved. */
  updatedAt!: Date;

  /** The parts must be valid by themselves (CHECK_PARTS). Throws `invalid` if there is no body. */
  static create(id: string, accountId: string, parts: NamedParts, now: Date): Template {
    requireBody(parts);
    const content = { ...parts, sampleValues: asStored(parts.sampleValues) };
    return Object.assign(new Template(), { id, accountId, ...content, version: 1, createdAt: now, updatedAt: now });
  }

  /** Throws `conflict` if a change is based on another version than the newest. */
  requireNewest(base: number): void {
    if (base !== this.version)
      throw DomainError.conflict(`Template was changed meanwhile: it has version ${this.version}`);
  }

  /**
   * Absent parts are kept. Returns false, and changes nothing, if all parts are what they were. Throws `invalid` like
   * `create`, and then changes nothing.
   */
  change(parts: Partial<NamedParts>, now: Date): boolean {
    const { name = this.name, subject = this.subject, html = this.html, text = this.text } = parts;
    requireBody({ html, text });
    const sampleValues = parts.sampleValues ? asStored(parts.sampleValues) : this.sampleValues;
    const changed = { ...this.toVersion(), name, subject, html, text, sampleValues };
    if (isDeepStrictEqual(changed, this.toVersion())) return false;
    Object.assign(this, { name, subject, html, text, sampleValues, version: this.version + 1, updatedAt: now });
    return true;
  }

  /** The content of the template, as its newest version. */
  toVersion(): TemplateVersion {
    const { version, name, subject, html, text, sampleValues, updatedAt } = this;
    return { version, name, subject, html, text, sampleValues, savedAt: updatedAt };
  }

  /** The names of all placeholders and sections, sorted. */
  get variables(): string[] {
    return [...templateNames(this)].sort();
  }
}

/** The values as the database returns them: JSON has no negative zero and no infinity. Throws `invalid` if too long. */
function asStored(sampleValues: Record<string, unknown>): Record<string, unknown> {
  const json = JSON.stringify(sampleValues);
  if (json.length > MAX_SAMPLE_LENGTH)
    throw DomainError.invalid(`sampleValues is longer than ${MAX_SAMPLE_LENGTH} characters of JSON`);
  return JSON.parse(json) as Record<string, unknown>;
}

/** The names of all placeholders and sections of parts that are valid. */
export const templateNames = (parts: TemplateParts): Set<string> =>
  new Set(TEMPLATE_FIELDS.flatMap((field) => namesIn(field, parts[field] ?? '')));

export function requireBody({ html, text }: Pick<TemplateParts, 'html' | 'text'>): void {
  if (html === null && text === null) throw DomainError.invalid('html or text is required');
}
