import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { DomainError } from '../../../shared/domain-error.js';
import { escapeHtml } from '../../../shared/escape-html.js';
import type { NewMessage } from '../../messages/index.js';
import { UnsubscribeLinks } from '../../suppression/index.js';
import { RenderTemplate, TemplateLink } from '../../templates/index.js';
import type { EmailRequest } from '../domain/email-request.js';
import { isNestedTooDeep, MAX_HTML_DEPTH } from '../domain/html-nesting.js';
import { fillUnsubscribeUrl } from '../domain/fill-unsubscribe-url.js';

type Parts = Pick<NewMessage, 'subject' | 'html' | 'text'>;
export type Content = Parts & Pick<NewMessage, 'unsubscribeUrl'>;

/** What an e-mail says: the request's own words, or a template's with the request's overrides. */
@Injectable()
export class RenderContent {
  constructor(
    private readonly templates: RenderTemplate,
    private readonly unsubscribeLinks: UnsubscribeLinks,
  ) {}

  /**
   * `{{unsubscribeUrl}}` is the hosted link of the message that it becomes, unless the request has a variable of that
   * name. Where the hosted link is used, List-Unsubscribe names it, too, unless the request names another one.
   */
  async render(request: EmailRequest, messageId: string): Promise<Content> {
    const { accountId, to } = request;
    const hosted = new TemplateLink(() =>
      this.unsubscribeLinks.linkTo({ accountId, messageId, email: normaliseEmail(to) }),
    );
    const parts = await (request.templateId == null
      ? this.fillBodies(request, hosted)
      : this.fillTemplate(request, request.templateId, hosted));
    if (parts.html !== null && (await isNestedTooDeep(parts.html)))
      throw DomainError.invalid(`html is nested more than ${MAX_HTML_DEPTH} levels deep`, 'html_too_deep');
    return { ...parts, unsubscribeUrl: request.unsubscribeUrl ?? (hosted.wasUsed ? hosted.url : null) };
  }

  private fillTemplate(
    { accountId, subject, html, text, variables }: EmailRequest,
    templateId: string,
    hosted: TemplateLink,
  ): Promise<Parts> {
    const overrides = { subject: subject ?? undefined, html: html ?? undefined, text: text ?? undefined };
    const unsubscribeUrl = variables?.unsubscribeUrl ?? hosted;
    return this.templates.render(accountId, templateId, overrides, { ...variables, unsubscribeUrl });
  }

  private fillBodies({ subject, html, text, variables }: EmailRequest, hosted: TemplateLink): Parts {
    const own = variables?.unsubscribeUrl;
    const url = () => (typeof own === 'string' ? own : hosted.url);
    return {
      subject: subject ?? '',
      html: html == null ? null : fillUnsubscribeUrl('html', html, () => escapeHtml(url())),
      text: text == null ? null : fillUnsubscribeUrl('text', text, url),
    };
  }
}
