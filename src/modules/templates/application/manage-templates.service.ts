import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { contentThreads } from '../../../concurrency/content-threads.js';
import { CHECK_PARTS, hasManyTags } from '../domain/render-parts.js';
import { type NamedParts, Template, type TemplateParts } from '../domain/template.js';
import { TemplateRepository } from './ports/template.repository.js';
import { TemplateVersionRepository } from './ports/template-version.repository.js';

@Injectable()
export class ManageTemplates {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly templates: TemplateRepository,
    private readonly versions: TemplateVersionRepository,
    private readonly clock: Clock,
  ) {}

  async create(accountId: string, parts: NamedParts): Promise<Template> {
    await requireValid(accountId, parts);
    const now = this.clock.now();
    const template = Template.create(newId(now), accountId, parts, now);
    await this.templates.add(template);
    return template;
  }

  list(accountId: string, page: PageRequest): Promise<Page<Template>> {
    return this.templates.list(accountId, page);
  }

  async get(accountId: string, id: string): Promise<Template> {
    return found(await this.templates.find(accountId, id));
  }

  /**
   * Absent parts are kept, null clears. A change makes a new version. Concurrent changes run one after the other, so
   * that neither a change nor a version is lost. Throws `conflict` if `base`, the version that the change is based on,
   * is not the newest.
   */
  async change(accountId: string, id: string, parts: Partial<NamedParts>, base?: number): Promise<Template> {
    await requireValid(accountId, parts);
    return this.transactions.runInLane(accountId, async () => {
      const template = found(await this.templates.findAndLock(accountId, id));
      if (base !== undefined) template.requireNewest(base);
      const former = template.toVersion();
      if (!template.change(parts, this.clock.now())) return template;
      await this.versions.add(accountId, id, former);
      await this.templates.save(template);
      return template;
    });
  }

  async remove(accountId: string, id: string): Promise<Template> {
    return found(await this.templates.remove(accountId, id));
  }
}

async function requireValid(accountId: string, { subject, html, text }: Partial<TemplateParts>): Promise<void> {
  const parts = { ...(subject !== undefined && { subject }), ...(html && { html }), ...(text && { text }) };
  if (hasManyTags(parts)) await contentThreads.runInThread(CHECK_PARTS, parts, accountId);
  else CHECK_PARTS.run(parts);
}

function found(template: Template | null): Template {
  if (!template) throw DomainError.notFound('Template');
  return template;
}
