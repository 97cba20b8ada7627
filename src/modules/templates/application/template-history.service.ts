import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { type Page, type PageRequest, toPage } from '../../../shared/page.js';
import type { TemplateVersion, TemplateVersionSummary } from '../domain/template.js';
import { ManageTemplates } from './manage-templates.service.js';
import { TemplateVersionRepository } from './ports/template-version.repository.js';

/** Lists, shows and restores the versions of templates. */
@Injectable()
export class TemplateHistory {
  constructor(
    private readonly versions: TemplateVersionRepository,
    private readonly templates: ManageTemplates,
  ) {}

  /** Newest first. All are read, because there are few and they come without bodies. */
  async list(accountId: string, templateId: string, page: PageRequest): Promise<Page<TemplateVersionSummary>> {
    const all = await this.versions.list(accountId, templateId);
    if (all.length === 0) throw DomainError.notFound('Template');
    const start = (page.page - 1) * page.limit;
    return toPage(all.slice(start, start + page.limit), all.length, page);
  }

  async get(accountId: string, templateId: string, version: number): Promise<TemplateVersion> {
    const found = await this.versions.find(accountId, templateId, version);
    if (!found) throw DomainError.notFound('Template version');
    return found;
  }

  /**
   * Saves the content of the version as a new one, and returns that. If the template already has this content, nothing
   * is saved, and its newest version is returned. Throws `invalid` if the content can no longer be rendered, and
   * `conflict` if `base` is not the newest version.
   */
  async restore(accountId: string, templateId: string, version: number, base?: number): Promise<TemplateVersion> {
    const { name, subject, html, text, sampleValues } = await this.get(accountId, templateId, version);
    const content = { name, subject, html, text, sampleValues };
    return (await this.templates.change(accountId, templateId, content, base)).toVersion();
  }
}
