import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { RenderTemplate } from '../../templates/index.js';
import type { EmailRequest } from '../domain/email-request.js';

interface Content {
  subject: string;
  html: string | null;
  text: string | null;
}

/** What an e-mail says: the request's own words, or a template's with the request's overrides. */
@Injectable()
export class RenderContent {
  constructor(private readonly templates: RenderTemplate) {}

  async render({ accountId, templateId, variables, ...own }: EmailRequest): Promise<Content> {
    if (templateId != null) {
      const overrides = { subject: own.subject ?? undefined, html: own.html ?? undefined, text: own.text ?? undefined };
      return this.templates.render(accountId, templateId, overrides, variables ?? {});
    }
    const { subject, html, text } = own;
    const missing = [
      ...(subject ? [] : ['subject is required unless templateId is given']),
      ...(html || text ? [] : ['html or text is required unless templateId is given']),
    ];
    if (!subject || missing.length > 0) throw DomainError.invalid(missing.join('; '));
    return { subject, html: html ?? null, text: text ?? null };
  }
}
