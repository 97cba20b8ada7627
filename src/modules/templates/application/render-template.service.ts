import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { fillTemplate } from '../domain/fill-template.js';
import type { TemplateField } from '../domain/parse-template.js';
import { ParsedTemplates } from '../domain/parsed-templates.js';
import { requireSound, type TemplateParts } from '../domain/template.js';
import { TemplateRepository } from './ports/template.repository.js';

@Injectable()
export class RenderTemplate {
  private readonly parsed = new ParsedTemplates();

  constructor(private readonly templates: TemplateRepository) {}

  /**
   * The account's template with each override in the place of its part, filled in. Of the variables those that callers
   * pass in are JSON; a TemplateLink is ours. Throws invalid for an unknown template, a malformed override and variables
   * that make a part too large or the subject no header.
   */
  async render(
    accountId: string,
    templateId: string,
    overrides: { subject?: string; html?: string; text?: string },
    variables: Record<string, unknown>,
  ): Promise<TemplateParts> {
    const template = await this.templates.find(accountId, templateId);
    if (!template) throw DomainError.invalid('templateId: template not found');
    const { subject = template.subject, html = template.html, text = template.text } = overrides;
    return this.fill({ subject, html, text }, variables);
  }

  /**
   * Renders parts that belong to no template, by the rules of templates. Throws `invalid`, naming the part, if one is
   * malformed or too large.
   */
  renderParts(parts: TemplateParts, variables: Record<string, unknown>): TemplateParts {
    return this.fill(parts, variables);
  }

  /** Like `render`, but a template that is missing is not found. */
  async preview(accountId: string, id: string, variables: Record<string, unknown>): Promise<TemplateParts> {
    const template = await this.templates.find(accountId, id);
    if (!template) throw DomainError.notFound('Template');
    return this.fill(template, variables);
  }

  /** Parts that may never be saved, filled in. Throws invalid for what could not be saved. */
  draft(parts: TemplateParts, variables: Record<string, unknown>): TemplateParts {
    requireSound(parts);
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
