import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { nextTurn } from '../../../shared/time-slice.js';
import { fillTemplate } from '../domain/fill-template.js';
import type { TemplateField } from '../domain/parse-template.js';
import { ParsedTemplates } from '../domain/parsed-templates.js';
import { requireValidParts, type TemplateParts } from '../domain/template.js';
import { TemplateRepository } from './ports/template.repository.js';

/**
 * Sends render at once. Previews, which no rate and no cap limits, take turns: one may need up to 50 milliseconds.
 */
@Injectable()
export class RenderTemplate {
  private readonly parsed = new ParsedTemplates();

  constructor(private readonly templates: TemplateRepository) {}

  /**
   * Renders the account's template; an override replaces its part. Variables are JSON, except TemplateLinks, which only
   * this service creates. Throws `invalid` for an unknown template, a malformed override, a part that becomes too large
   * and a subject that is no valid header.
   */
  async render(
    accountId: string,
    templateId: string,
    overrides: { subject?: string; html?: string; text?: string },
    variables: Record<string, unknown>,
  ): Promise<TemplateParts> {
    return this.fill(await this.partsOf(accountId, templateId, overrides), variables);
  }

  /** Returns the parts that `render` renders. Throws `invalid` for an unknown template. */
  async partsOf(
    accountId: string,
    templateId: string,
    overrides: { subject?: string | undefined; html?: string | undefined; text?: string | undefined },
  ): Promise<TemplateParts> {
    const template = await this.templates.find(accountId, templateId);
    if (!template) throw DomainError.invalid('templateId: template not found');
    const { subject = template.subject, html = template.html, text = template.text } = overrides;
    return { subject, html, text };
  }

  /**
   * Renders parts that belong to no template, by the rules of templates. Throws `invalid`, naming the part, if one is
   * malformed or too large.
   */
  renderParts(parts: TemplateParts, variables: Record<string, unknown>): TemplateParts {
    return this.fill(parts, variables);
  }

  /** The names that the parts use. Throws `invalid`, naming the part, if one is malformed. */
  namesIn({ subject, html, text }: TemplateParts): Set<string> {
    const namesOf = (field: TemplateField, part: string | null) =>
      part === null ? [] : this.parsed.parse(field, part).names;
    return new Set([...namesOf('subject', subject), ...namesOf('html', html), ...namesOf('text', text)]);
  }

  /** Like `render`, but throws `not_found` for an unknown template. */
  async preview(accountId: string, id: string, variables: Record<string, unknown>): Promise<TemplateParts> {
    const template = await this.templates.find(accountId, id);
    if (!template) throw DomainError.notFound('Template');
    await nextTurn();
    return this.fill(template, variables);
  }

  /** Renders parts that are not saved. Throws `invalid` if they could not be saved. */
  async draft(parts: TemplateParts, variables: Record<string, unknown>): Promise<TemplateParts> {
    await nextTurn();
    requireValidParts(parts);
    return this.fill(parts, variables);
  }

  private fill({ subject, html, text }: TemplateParts, variables: Record<string, unknown>): TemplateParts {
    const fill = (field: TemplateField, part: string) => fillTemplate(field, this.parsed.parse(field, part), variables);
    return {
      subject: fill('subject', subject),
      html: html === null ? null : fill('html', html),
      text: text === null ? null : fill('text', text),
    };
  }
}
