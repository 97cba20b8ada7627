import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import type { TemplateVersion, TemplateVersionSummary } from '../domain/template.js';

export class TemplateVersionResponse {
  /** From 1, which is what the template was created with. */
  @ApiProperty({ type: 'integer' })
  version!: number;

  /** @example "Welcome" */
  name!: string;

  /** @example "Welcome, {{firstName}}" */
  subject!: string;
  savedAt!: Date;

  static from({ version, name, subject, savedAt }: TemplateVersionSummary): TemplateVersionResponse {
    return { version, name, subject, savedAt };
  }
}

export class TemplateVersionDetailResponse extends TemplateVersionResponse {
  /** @example "<p>Dear {{firstName}},</p>" */
  html!: string | null;
  text!: string | null;

  /** @example { "firstName": "Ada" } */
  @ApiProperty({ type: 'object', additionalProperties: true })
  sampleValues!: Record<string, unknown>;

  static override from(version: TemplateVersion): TemplateVersionDetailResponse {
    const { html, text, sampleValues } = version;
    return { ...TemplateVersionResponse.from(version), html, text, sampleValues };
  }
}

export class TemplateVersionPageResponse {
  items!: TemplateVersionResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<TemplateVersionSummary>): TemplateVersionPageResponse {
    return { items: items.map((version) => TemplateVersionResponse.from(version)), ...page };
  }
}
