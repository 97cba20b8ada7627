import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import type { Template, TemplateParts } from '../domain/template.js';

export class TemplateResponse {
  id!: string;

  /** The number of the newest version, which is what the template contains. */
  @ApiProperty({ type: 'integer' })
  version!: number;
  /** @example "Order confirmation" */
  name!: string;

  /** @example "Welcome, {{firstName}}" */
  subject!: string;

  /** @example "<p>Dear {{firstName}},</p>" */
  html!: string | null;
  text!: string | null;

  /**
   * The names of all placeholders and sections of subject, html and text, sorted.
   * @example ["firstName"]
   */
  variables!: string[];

  /**
   * Values of the placeholders for previews and tests; sends do not use them.
   * @example { "firstName": "Ada" }
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  sampleValues!: Record<string, unknown>;

  createdAt!: Date;
  updatedAt!: Date;

  static from(template: Template): TemplateResponse {
    const { id, version, name, subject, html, text, variables, sampleValues, createdAt, updatedAt } = template;
    return { id, version, name, subject, html, text, variables, sampleValues, createdAt, updatedAt };
  }
}

export class TemplatePageResponse {
  items!: TemplateResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<Template>): TemplatePageResponse {
    return { items: items.map((template) => TemplateResponse.from(template)), ...page };
  }
}

/** A rendered template, as a recipient would get it. */
export class TemplatePreviewResponse {
  /** @example "Welcome, Ada" */
  subject!: string;
  html!: string | null;
  text!: string | null;

  static from({ subject, html, text }: TemplateParts): TemplatePreviewResponse {
    return { subject, html, text };
  }
}
