import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import {
  FORM_CHALLENGES,
  FORM_FIELDS,
  FORM_STATUSES,
  type Form,
  type FormChallenge,
  type FormField,
  type FormStatus,
} from '../domain/form.js';

export class FormConfirmationResponse {
  /** @example "Please confirm your subscription" */
  subject!: string;

  /** The template of the confirmation mail; null: a text of the service. */
  templateId!: string | null;
}

export class FormWelcomeResponse {
  templateId!: string;
}

export class FormStatsResponse {
  /** Submissions that were stored. */
  @ApiProperty({ type: 'integer' })
  submitted!: number;

  /** Those that were confirmed. */
  @ApiProperty({ type: 'integer' })
  confirmed!: number;
}

export class FormResponse {
  id!: string;

  /** @example "Newsletter" */
  name!: string;

  /** The lists that people join when they confirm. */
  listIds!: string[];
  topicIds!: string[];

  /** What the form asks for besides the address. */
  @ApiProperty({ enum: FORM_FIELDS, isArray: true })
  fields!: FormField[];

  /**
   * What people agree to.
   * @example "I want the newsletter by email. I can unsubscribe at any time."
   */
  wording!: string;

  /** Counts the changes of what people agree to, the wording and the topics, from 1. */
  @ApiProperty({ type: 'integer' })
  wordingVersion!: number;

  /** @example "hello@example.com" */
  fromEmail!: string;
  fromName!: string | null;
  confirmation!: FormConfirmationResponse;

  /** The mail after the confirmation; null: none. */
  @ApiProperty({ type: FormWelcomeResponse, nullable: true })
  welcome!: FormWelcomeResponse | null;

  /** Where the browser goes after the submission; null: a page of the service. */
  redirectUrl!: string | null;

  /** Where the browser goes after the confirmation; null: a page of the service. */
  confirmedUrl!: string | null;

  /**
   * Origins of pages that may show or submit the form.
   * @example ["https://www.example.com"]
   */
  allowedOrigins!: string[];

  @ApiProperty({ enum: FORM_CHALLENGES })
  challenge!: FormChallenge;

  @ApiProperty({ enum: FORM_STATUSES })
  status!: FormStatus;
  stats!: FormStatsResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from(form: Form): FormResponse {
    const { id, name, listIds, topicIds, fields, wording, wordingVersion, fromEmail, fromName } = form;
    const { redirectUrl, confirmedUrl, allowedOrigins, challenge, status, createdAt, updatedAt } = form;
    const { confirmationSubject: subject, confirmationTemplateId, welcomeTemplateId, submitted, confirmed } = form;
    return {
      ...{ id, name, listIds, topicIds, fields, wording, wordingVersion, fromEmail, fromName },
      confirmation: { subject, templateId: confirmationTemplateId },
      welcome: welcomeTemplateId === null ? null : { templateId: welcomeTemplateId },
      ...{ redirectUrl, confirmedUrl, allowedOrigins, challenge, status, stats: { submitted, confirmed } },
      ...{ createdAt, updatedAt },
    };
  }
}

export class FormPageResponse {
  items!: FormResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<Form>): FormPageResponse {
    return { items: items.map((form) => FormResponse.from(form)), ...page };
  }
}

/** The same for every address. */
export class SignupAcceptedResponse {
  @ApiProperty({ enum: ['pending'] })
  status!: 'pending';

  static pending(): SignupAcceptedResponse {
    return { status: 'pending' };
  }
}
