import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { DomainError } from '../../../shared/domain-error.js';
import { escapeHtml } from '../../../shared/text.js';
import { contentThreads } from '../../../concurrency/content-threads.js';
import type { TimeSlice } from '../../../concurrency/time-slice.js';
import type { NewMessage } from '../../messages/index.js';
import { UnsubscribeLinks } from '../../suppression/index.js';
import { RenderTemplate, TemplateLink } from '../../templates/index.js';
import type { EmailRequest } from '../domain/send-request.js';
import { IS_NESTED_TOO_DEEP, MAX_HTML_DEPTH } from '../domain/html-nesting.js';
import { fillUnsubscribeUrl } from '../domain/unsubscribe-url.js';
import { ContentMemory } from './content-memory.js';

export type Parts = Pick<NewMessage, 'subject' | 'html' | 'text'>;
export type Content = Parts &
  Pick<NewMessage, 'unsubscribeUrl'> & {
    /** The hosted unsubscribe link, if one of the parts has it. */
    hostedUrl: string | null;
  };

/** Characters of html and text of a batch, once variables are filled in: a small request can make a large batch. */
const MAX_LENGTH_OF_BATCH = 16_000_000;

const MAX_NAMED = 50;

const lengthOf = ({ html, text }: Parts): number => (html?.length ?? 0) + (text?.length ?? 0);

function missingVariables(names: readonly string[]): DomainError {
  const named = names.slice(0, MAX_NAMED).join(', ');
  const others = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return DomainError.invalid(`variables lacks ${named}${others}`, 'missing_variable');
}

const batchTooLong = () =>
  DomainError.invalid(`html and text of the batch are longer than ${MAX_LENGTH_OF_BATCH} characters together`);

interface Rendering {
  variables: Record<string, unknown>;
  slice: TimeSlice | undefined;
  missing: Set<string> | undefined;
}

/** Renders the content of an e-mail: the request's own, or a template's with the request's overrides. */
@Injectable()
export class RenderContent {
  constructor(
    private readonly templates: RenderTemplate,
    private readonly unsubscribeLinks: UnsubscribeLinks,
    private readonly memory: ContentMemory,
  ) {}

  /**
   * `{{unsubscribeUrl}}` and `{{preferencesUrl}}` render as the hosted link of the message, whose page has both, unless
   * the request has a variable of that name. If the hosted link is used, it also goes into List-Unsubscribe, unless the
   * request has a URL for that. With `strictVariables`, the request's own parts are templates even without variables,
   * and it throws `invalid` if a placeholder has no value. One of many concurrent calls passes the slice of time that
   * they share.
   */
  async render(request: EmailRequest, messageId: string, slice?: TimeSlice): Promise<Content> {
    const { accountId, to, topicId = null } = request;
    const hosted = new TemplateLink(() =>
      this.unsubscribeLinks.linkTo({ accountId, messageId, email: normaliseEmail(to), topicId }),
    );
    const missing = request.strictVariables ? new Set<string>() : undefined;
    const parts = withoutEmptyBody(await this.parts(request, hosted, slice, missing));
    if (missing?.size) throw missingVariables([...missing]);
    if (slice?.isOver) await slice.next();
    const { html } = parts;
    if (html && (await contentThreads.run(IS_NESTED_TOO_DEEP, html, { accountId, size: html.length })))
      throw DomainError.invalid(`html is nested more than ${MAX_HTML_DEPTH} levels deep`);
    const hostedUrl = hosted.wasUsed ? hosted.url : null;
    return { ...parts, unsubscribeUrl: request.unsubscribeUrl ?? hostedUrl, hostedUrl };
  }

  /**
   * Passes `work` a function that renders the messages of a batch, and holds memory for their contents until the work
   * ends. The function throws `invalid` for a message with which they would be too long together, and `unavailable` if
   * the account has too many others that wait to be stored.
   */
  ofBatch<T>(
    accountId: string,
    slice: TimeSlice,
    work: (render: (request: EmailRequest, messageId: string) => Promise<Content>) => Promise<T>,
  ): Promise<T> {
    let left = MAX_LENGTH_OF_BATCH;
    return this.memory.during(accountId, (take) =>
      work(async (request, messageId) => {
        const content = await this.render(request, messageId, slice);
        const length = lengthOf(content);
        if (length > left) throw batchTooLong();
        take(length);
        left -= length;
        return content;
      }),
    );
  }

  private parts(
    request: EmailRequest,
    hosted: TemplateLink,
    slice?: TimeSlice,
    missing?: Set<string>,
  ): Parts | Promise<Parts> {
    const { accountId, testOf, templateId, subject, html, text, variables } = request;
    const all = {
      ...variables,
      unsubscribeUrl: variables?.unsubscribeUrl ?? hosted,
      preferencesUrl: variables?.preferencesUrl ?? hosted,
    };
    if (templateId != null) {
      const overrides = { subject: subject ?? undefined, html: html ?? undefined, text: text ?? undefined };
      return this.renderTemplate(testOf ?? accountId, templateId, overrides, { variables: all, slice, missing });
    }
    const own = { subject: subject ?? '', html: html ?? null, text: text ?? null };
    return variables == null && !missing
      ? fillLink(own, hosted)
      : this.templates.renderParts(accountId, own, withOwnLink(all), missing);
  }

  private async renderTemplate(
    accountId: string,
    templateId: string,
    overrides: { subject?: string | undefined; html?: string | undefined; text?: string | undefined },
    { variables, slice, missing }: Rendering,
  ): Promise<Parts> {
    const parts = await this.templates.partsOf(accountId, templateId, overrides);
    if (slice?.isOver) await slice.next();
    return this.templates.renderParts(accountId, parts, variables, missing);
  }
}

/** Escaped like the hosted link: slashes stay, because some HTML link parsers do not decode entities. */
function withOwnLink(variables: { unsubscribeUrl: unknown }): Record<string, unknown> {
  const { unsubscribeUrl: url } = variables;
  return typeof url === 'string' && url !== ''
    ? { ...variables, unsubscribeUrl: new TemplateLink(() => url) }
    : variables;
}

/** Without variables only the link of the message is replaced. */
function fillLink({ subject, html, text }: Parts, hosted: TemplateLink): Parts {
  return {
    subject,
    html: html === null ? null : fillUnsubscribeUrl('html', html, () => escapeHtml(hosted.url)),
    text: text === null ? null : fillUnsubscribeUrl('text', text, () => hosted.url),
  };
}

/** A body that renders empty counts as absent if the other one does not. */
export const withoutEmptyBody = ({ subject, html, text }: Parts): Parts => ({
  subject,
  html: html === '' && text ? null : html,
  text: text === '' && html ? null : text,
});
