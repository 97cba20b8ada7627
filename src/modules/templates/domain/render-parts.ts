import type { ContentTask } from '../../../concurrency/content-threads.js';
import { DomainError } from '../../../shared/domain-error.js';
import { fillTemplate, RenderSteps, TooManySteps } from './fill-template.js';
import { parseTemplate, TEMPLATE_FIELDS, type TemplateField } from './parse-template.js';
import { ParsedTemplates } from './parsed-templates.js';
import { countTags } from './scan-tags.js';
import type { TemplateParts } from './template.js';
import { MAX_RENDER_STEPS } from './template-limits.js';
import { TemplateLink } from './template-link.js';

/** Limits within which rendering takes a few milliseconds, all parts together. Nearly all mails need less. */
const QUICK = { tags: 1_000, steps: 2_000, characters: 32_768 };

/** Renders the parts of a mail, and keeps what it has parsed. */
export class PartsRenderer {
  private readonly parsed = new ParsedTemplates();

  /**
   * Throws `invalid`, naming the part, if one is malformed or becomes too large, and TooManySteps. Variables are JSON,
   * except TemplateLinks. `missing` gets the names of the placeholders that have no value.
   */
  render(
    parts: TemplateParts,
    variables: Record<string, unknown>,
    steps: RenderSteps,
    missing?: Set<string>,
  ): TemplateParts {
    const fill = (field: TemplateField, part: string) =>
      fillTemplate(field, this.parsed.parse(field, part), variables, steps, missing);
    const { subject, html, text } = parts;
    return {
      subject: fill('subject', subject),
      html: html === null ? null : fill('html', html),
      text: text === null ? null : fill('text', text),
    };
  }

  /**
   * Like `render`, but null if that might take more than a few milliseconds. `missing` may then have some of the names.
   */
  renderIfQuick(parts: TemplateParts, variables: Record<string, unknown>, missing?: Set<string>): TemplateParts | null {
    if (hasManyTags(parts)) return null;
    try {
      return this.render(parts, variables, new RenderSteps(QUICK.steps, QUICK.characters), missing);
    } catch (error) {
      if (error instanceof TooManySteps) return null;
      throw error;
    }
  }
}

/** Whether parsing them might take more than a few milliseconds. */
export const hasManyTags = (parts: Partial<TemplateParts>): boolean =>
  TEMPLATE_FIELDS.reduce((count, field) => count + countTags(parts[field] ?? '', QUICK.tags), 0) > QUICK.tags;

/** Throws `invalid`, naming the part, if one cannot be rendered. */
export const CHECK_PARTS: ContentTask<Partial<TemplateParts>, void> = {
  name: 'check template',
  subject: 'subject, html and text',
  run: (parts) => {
    for (const field of TEMPLATE_FIELDS) parseTemplate(field, parts[field] ?? '');
  },
};

interface Rendering {
  parts: TemplateParts;
  variables: Record<string, unknown>;
  /** The URLs of the variables that are links. */
  links: Record<string, string>;
}

interface Rendered {
  parts: TemplateParts;
  /** The names of the links that the parts have. */
  usedLinks: string[];
  /** The names of the placeholders without a value, in order of appearance. */
  missing: string[];
}

const renderer = new PartsRenderer();

/** Also throws `invalid` for parts that take too many steps. */
export const RENDER_PARTS: ContentTask<Rendering, Rendered> = {
  name: 'render',
  subject: 'subject, html and text',
  run: ({ parts, variables, links }) => {
    const linked = Object.entries(links).map(([name, url]) => [name, new TemplateLink(() => url)] as const);
    const all = { ...variables, ...Object.fromEntries(linked) };
    try {
      const missing = new Set<string>();
      const rendered = renderer.render(parts, all, new RenderSteps(MAX_RENDER_STEPS), missing);
      const usedLinks = linked.flatMap(([name, link]) => (link.wasUsed ? [name] : []));
      return { parts: rendered, usedLinks, missing: [...missing] };
    } catch (error) {
      throw error instanceof TooManySteps ? tooManySteps() : error;
    }
  },
};

const tooManySteps = () =>
  DomainError.invalid(
    `subject, html and text take more than ${MAX_RENDER_STEPS} steps to render: they have too many tags, or repeat ` +
      'their sections too often',
    'template_fault',
  );
