import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { IdempotencyStore } from '../../messages/index.js';
import { AcceptEmail, type EmailRequest, RenderContent } from '../../sending/index.js';
import { UnsubscribeLinks } from '../../suppression/index.js';
import { TemplateLink } from '../../templates/index.js';
import { confirmationMail } from '../domain/confirmation-mail.js';
import { DEFAULT_SUBJECT, type Form } from '../domain/form.js';
import { harmlessName, type WordedSignup } from '../domain/signup.js';
import type { BrandedForm } from './form-directory.service.js';
import { CONFIRM_URL, FormTemplates } from './form-templates.service.js';
import { ConfirmLinks } from './ports/confirm-links.js';

type SignupKey = Pick<WordedSignup, 'id'>;
type KeyedRequest = EmailRequest & { idempotencyKey: { key: string; fingerprint: string } };

/** Mails of forms have no API key. */
const NO_KEY = '';

const confirmationKey = ({ id }: SignupKey): string => `form confirmation ${id}`;
const welcomeKey = ({ id }: SignupKey): string => `form welcome ${id}`;

/**
 * Submits the mails of forms to acceptance like those of a caller: they count under the daily cap, of which they leave
 * a part to others, and no suppressed address gets one. Each is accepted once, however often it is repeated within 24
 * hours.
 */
@Injectable()
export class SendFormMails {
  constructor(
    private readonly acceptEmail: AcceptEmail,
    private readonly content: RenderContent,
    private readonly idempotencyKeys: IdempotencyStore,
    private readonly templates: FormTemplates,
    private readonly confirmLinks: ConfirmLinks,
    private readonly unsubscribeLinks: UnsubscribeLinks,
  ) {}

  /** Returns the id of the message. */
  async confirmation(form: BrandedForm, signup: WordedSignup): Promise<string | null> {
    const { accountId, confirmationTemplateId: templateId } = form;
    // A template that was deleted or has lost the link must not keep people from confirming.
    const variables = variablesOf(form, signup);
    const hasTemplate = templateId !== null && (await this.templates.canConfirm(accountId, templateId, variables));
    const link = new TemplateLink(() => this.confirmLinks.linkTo({ accountId, signupId: signup.id }));
    const request = {
      ...toRequest(form, signup, confirmationKey(signup)),
      variables: { ...variables, [CONFIRM_URL]: link },
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    const standard = { ...request, ...confirmationMail(signup.language, form.account.color), subject: DEFAULT_SUBJECT };
    const own = { ...(hasTemplate ? { ...request, templateId } : standard), subject: form.confirmationSubject };
    return this.accept(own, (messageId) => this.renderEither(own, standard, messageId));
  }

  /** Sends nothing if the template does not exist any more. Mail clients can unsubscribe by this mail. */
  async welcome(form: BrandedForm, signup: WordedSignup, topicId: string | null): Promise<void> {
    const { accountId, welcomeTemplateId: templateId } = form;
    if (templateId === null || !(await this.templates.exists(accountId, templateId))) return;
    const request = {
      ...toRequest(form, signup, welcomeKey(signup)),
      templateId,
      topicId,
      variables: variablesOf(form, signup),
    };
    await this.accept(request, async (messageId) => {
      const content = await this.content.render(request, messageId);
      const target = { accountId, messageId, email: signup.normalisedEmail, topicId };
      return { ...content, unsubscribeUrl: content.unsubscribeUrl ?? this.unsubscribeLinks.linkTo(target) };
    });
  }

  /**
   * The messages with the links of these sign-ups, all of one account, by sign-up: those that were accepted within the
   * last 24 hours. Joins the current transaction.
   */
  async findConfirmations(accountId: string, signups: readonly SignupKey[]): Promise<Map<string, string>> {
    const accepted = await this.idempotencyKeys.findMany(accountId, NO_KEY, signups.map(confirmationKey));
    return new Map(signups.flatMap(({ id }, i) => (accepted[i] ? [[id, accepted[i].messageId]] : [])));
  }

  /** Renders the second mail if the first cannot be: a name or words of an earlier version may not fit it. */
  private async renderEither(
    own: KeyedRequest,
    standard: KeyedRequest,
    messageId: string,
  ): ReturnType<RenderContent['render']> {
    try {
      return await this.content.render(own, messageId);
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
      return this.content.render(standard, messageId);
    }
  }

  private async accept(request: KeyedRequest, render?: Parameters<AcceptEmail['accept']>[1]): Promise<string | null> {
    const accepted = await this.acceptEmail.accept(request as EmailRequest, render);
    if (accepted.outcome === 'accepted') return accepted.messageId;
    const earlier = await this.idempotencyKeys.find(request.accountId, NO_KEY, request.idempotencyKey.key);
    return earlier?.messageId ?? null;
  }
}

const toRequest = ({ accountId, fromEmail, fromName }: Form, { email }: WordedSignup, key: string): KeyedRequest => ({
  ...{ accountId, apiKeyId: null, keyLimit: null, idempotencyKey: { key, fingerprint: key } },
  ...{ to: email, fromEmail, fromName },
});

const variablesOf = (form: BrandedForm, signup: WordedSignup): Record<string, unknown> => ({
  email: signup.email,
  firstName: harmlessName(signup.firstName),
  lastName: harmlessName(signup.lastName),
  company: harmlessName(signup.company),
  accountName: form.account.name,
  formName: form.name,
  wording: signup.wording,
});
