import { Injectable } from '@nestjs/common';

import { contentThreads } from '../../../concurrency/content-threads.js';
import { DomainError } from '../../../shared/domain-error.js';
import { IS_LINK_VISIBLE } from '../../sending/index.js';
import { RenderTemplate, TemplateLink } from '../../templates/index.js';
import { FORM_FIELDS, type FormPlan } from '../domain/form.js';

/** The placeholder of the link that confirms a sign-up. */
export const CONFIRM_URL = 'confirmUrl';

const NO_LINK =
  `confirmation.templateId: the template must contain {{${CONFIRM_URL}}}, in html and text, ` +
  'whatever fields a person fills in';

type TemplateParts = NonNullable<Awaited<ReturnType<RenderTemplate['findParts']>>>;
type Variables = Readonly<Record<string, unknown>>;

const SAMPLE_LINK = 'https://example.com/confirm/sample';
const KNOWN: Variables = { email: 'recipient@example.com', accountName: 'Account', formName: 'Form', wording: 'Words' };
/** Variables for each combination of optional fields that a person may fill in. */
const SAMPLES = FORM_FIELDS.reduce<Variables[]>(
  (samples, field) => samples.flatMap((sample) => ['', 'Value'].map((value) => ({ ...sample, [field]: value }))),
  [KNOWN],
);

/** The templates of an account as mails of its forms. */
@Injectable()
export class FormTemplates {
  constructor(private readonly templates: RenderTemplate) {}

  /** Throws `invalid`, naming the field, unless the template shows the link to everybody. */
  async requireConfirmation(accountId: string, id: string): Promise<void> {
    const parts = await this.get(accountId, 'confirmation.templateId', id);
    for (const sample of SAMPLES)
      if (!(await this.showsLink(accountId, parts, sample))) throw DomainError.invalid(NO_LINK, 'template_fault');
  }

  /** Throws `invalid`, naming the field, if the subject cannot be rendered with the name and wording of the form. */
  async requireSubject(accountId: string, { confirmationSubject: subject, name, wording }: FormPlan): Promise<void> {
    const parts = { subject, html: null, text: null };
    try {
      for (const sample of SAMPLES)
        await this.templates.renderParts(accountId, parts, { ...sample, formName: name, wording });
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
      throw DomainError.invalid(`confirmation.${error.message}`, error.code);
    }
  }

  async requireExisting(accountId: string, field: string, id: string): Promise<void> {
    await this.get(accountId, field, id);
  }

  async exists(accountId: string, id: string): Promise<boolean> {
    return (await this.templates.findParts(accountId, id)) !== null;
  }

  /** Whether the template exists and shows the link with these variables: without it, the person could not confirm. */
  async canConfirm(accountId: string, id: string, variables: Variables): Promise<boolean> {
    const parts = await this.templates.findParts(accountId, id);
    try {
      return parts !== null && (await this.showsLink(accountId, parts, variables));
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'invalid') return false;
      throw error;
    }
  }

  private async get(accountId: string, field: string, id: string): Promise<TemplateParts> {
    const parts = await this.templates.findParts(accountId, id);
    if (!parts) throw DomainError.invalid(`${field}: there is no template ${id}`, 'template_fault');
    return parts;
  }

  /** Checks each body by rendering it: a section may hide the link. */
  private async showsLink(accountId: string, parts: TemplateParts, variables: Variables): Promise<boolean> {
    const link = new TemplateLink(() => SAMPLE_LINK);
    const content = { ...parts, subject: '' };
    const { html, text } = await this.templates.renderParts(accountId, content, { ...variables, [CONFIRM_URL]: link });
    if (text !== null && !text.includes(SAMPLE_LINK)) return false;
    if (html === null) return true;
    return contentThreads.run(IS_LINK_VISIBLE, { html, url: SAMPLE_LINK }, { accountId, size: html.length });
  }
}
