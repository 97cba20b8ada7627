import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { contentThreads } from '../../../concurrency/content-threads.js';
import { PartsRenderer, RENDER_PARTS } from '../domain/render-parts.js';
import { requireBody, templateNames, type TemplateParts } from '../domain/template.js';
import { TemplateLink } from '../domain/template-link.js';
import { TemplateRepository } from './ports/template.repository.js';

/** Renders at once what takes a few milliseconds, and the rest in a thread. */
@Injectable()
export class RenderTemplate {
  private readonly renderer = new PartsRenderer();

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
    return this.renderParts(accountId, await this.partsOf(accountId, templateId, overrides), variables);
  }

  /** Returns the parts that `render` renders. Throws `invalid` for an unknown template. */
  async partsOf(
    accountId: string,
    templateId: string,
    overrides: { subject?: string | undefined; html?: string | undefined; text?: string | undefined },
  ): Promise<TemplateParts> {
    const template = await this.findParts(accountId, templateId);
    if (!template) throw DomainError.invalid('templateId: template not found', 'template_fault');
    const { subject = template.subject, html = template.html, text = template.text } = overrides;
    return { subject, html, text };
  }

  /** The parts of a template as it is saved; null if there is none. */
  async findParts(accountId: string, templateId: string): Promise<TemplateParts | null> {
    const template = await this.templates.find(accountId, templateId);
    return template && { subject: template.subject, html: template.html, text: template.text };
  }

  /**
   * Renders parts that belong to no template, by the rules of templates. Throws `invalid`, naming the part, if one is
   * malformed or too large. `missing` gets the names of the placeholders that render empty because they have no value,
   * each once, in order of appearance.
   */
  async renderParts(
    accountId: string,
    parts: TemplateParts,
    variables: Record<string, unknown>,
    missing?: Set<string>,
  ): Promise<TemplateParts> {
    return (
      this.renderer.renderIfQuick(parts, variables, missing) ??
      this.renderInThread(accountId, parts, variables, missing)
    );
  }

  /** The names that valid parts use. */
  namesIn(parts: TemplateParts): Set<string> {
    return templateNames(parts);
  }

  /** Like `render`, but throws `not_found` for an unknown template. */
  async preview(accountId: string, id: string, variables: Record<string, unknown>): Promise<TemplateParts> {
    const template = await this.templates.find(accountId, id);
    if (!template) throw DomainError.notFound('Template');
    return this.renderParts(accountId, template, variables);
  }

  /** Renders parts that are not saved. Throws `invalid` if they could not be saved. */
  async draft(accountId: string, parts: TemplateParts, variables: Record<string, unknown>): Promise<TemplateParts> {
    requireBody(parts);
    return this.renderParts(accountId, parts, variables);
  }

  private async renderInThread(
    accountId: string,
    { subject, html, text }: TemplateParts,
    variables: Record<string, unknown>,
    missing: Set<string> | undefined,
  ): Promise<TemplateParts> {
    const links: Record<string, TemplateLink> = {};
    const values: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(variables))
      if (value instanceof TemplateLink) links[name] = value;
      else values[name] = value;
    const urls = Object.fromEntries(Object.entries(links).map(([name, link]) => [name, link.peek()]));
    const input = { parts: { subject, html, text }, variables: values, links: urls };
    const { parts, usedLinks, missing: names } = await contentThreads.runInThread(RENDER_PARTS, input, accountId);
    for (const name of names) missing?.add(name);
    for (const name of usedLinks) if (links[name]) links[name].wasUsed = true;
    return parts;
  }
}
