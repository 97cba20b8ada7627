import { Injectable } from '@nestjs/common';

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
    return { subject: own.subject ?? '', html: own.html ?? null, text: own.text ?? null };
  }
}
