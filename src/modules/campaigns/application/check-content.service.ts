import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { escapeHtml } from '../../../shared/text.js';
import { nextTurn } from '../../../shared/time-slice.js';
import { type CampaignContent, RenderContent } from '../../sending/index.js';
import { RenderTemplate } from '../../templates/index.js';
import type { Campaign, CampaignParts } from '../domain/campaign.js';

/** A message with this id is never stored: it stands for any message of the campaign. */
const SAMPLE = { to: 'recipient@example.com', messageId: 'c'.padEnd(25, '0') };
/** Of the variables as JSON. They are stored and listed with the campaign, unlike those of a send. */
const MAX_VARIABLES_LENGTH = 100_000;
/** A section may depend on what is known about a contact. */
const SAMPLE_CONTACTS = [{}, { email: SAMPLE.to, firstName: 'First', lastName: 'Last', company: 'Company' }] as const;

/** The content of a campaign: its own, or that of its template with its overrides. */
@Injectable()
export class CheckContent {
  constructor(
    private readonly templates: RenderTemplate,
    private readonly content: RenderContent,
  ) {}

  /** Throws `invalid`, naming the field, for an unknown template and for parts that cannot be rendered. */
  async resolve(campaign: Campaign): Promise<CampaignParts> {
    if (JSON.stringify(campaign.variables).length > MAX_VARIABLES_LENGTH)
      throw DomainError.invalid(`variables is longer than ${MAX_VARIABLES_LENGTH} characters`);
    const parts = await this.partsOf(campaign);
    await this.templates.draft(parts, campaign.variables ?? {});
    return parts;
  }

  /** Also throws `invalid` for a body without the unsubscribe link. */
  async requireSendable(campaign: Campaign): Promise<CampaignContent> {
    const { subject, html, text } = await this.resolve(campaign);
    if (html !== null) await this.requireLink(campaign, 'html', { subject, html });
    if (text !== null) await this.requireLink(campaign, 'text', { subject, text });
    return { subject, html, text, variables: this.usedVariables(campaign, { subject, html, text }) };
  }

  /** Each message copies the variables, so the others are left out. */
  private usedVariables({ variables }: Campaign, parts: CampaignParts): Record<string, unknown> {
    const names = new Set([...this.templates.namesIn(parts)].map((name) => name.split('.', 1)[0]));
    return Object.fromEntries(Object.entries(variables ?? {}).filter(([name]) => names.has(name)));
  }

  private async requireLink(
    { accountId, fromEmail, variables }: Campaign,
    field: 'html' | 'text',
    part: { subject: string; html?: string; text?: string },
  ): Promise<void> {
    for (const contact of SAMPLE_CONTACTS) {
      await nextTurn();
      const request = { accountId, apiKeyId: null, keyLimit: null, to: SAMPLE.to, fromEmail, ...part };
      const rendered = await this.content.render(
        { ...request, variables: { ...variables, ...contact } },
        SAMPLE.messageId,
      );
      const link = rendered.unsubscribeUrl;
      if (link === null || !rendered[field]?.includes(field === 'html' ? escapeHtml(link) : link))
        throw DomainError.invalid(`${field} must contain {{unsubscribeUrl}}`, 'no_unsubscribe_link');
    }
  }

  private async partsOf({ accountId, templateId, subject, html, text }: Campaign): Promise<CampaignParts> {
    if (templateId === null) return { subject: subject ?? '', html, text };
    return this.templates.partsOf(accountId, templateId, {
      subject: subject ?? undefined,
      html: html ?? undefined,
      text: text ?? undefined,
    });
  }
}
