import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { contentThreads } from '../../../concurrency/content-threads.js';
import type { CampaignContent } from '../../messages/index.js';
import {
  IS_LINK_VISIBLE,
  type Placeholders,
  RenderContent,
  samplePlaceholders,
  withPlaceholders,
} from '../../sending/index.js';
import { RenderTemplate } from '../../templates/index.js';
import type { Campaign, CampaignParts } from '../domain/campaign.js';

/** A message with this id is never stored: it stands for any message of the campaign. */
const SAMPLE = { to: 'recipient@example.com', messageId: 'c'.padEnd(25, '0') };
/** Limits the variables as JSON: unlike those of a send, they are stored and listed with the campaign. */
const MAX_VARIABLES_LENGTH = 100_000;

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
    await this.templates.draft(campaign.accountId, parts, campaign.variables ?? {});
    return parts;
  }

  /** Also throws `invalid` for a body without the unsubscribe link. */
  async requireSendable(campaign: Campaign): Promise<CampaignContent> {
    const parts = await this.resolve(campaign);
    const names = this.templates.namesIn(parts);
    // A section may depend on the contact's fields, so the link must be there both without and with them.
    await this.requireLinks(campaign, parts, {});
    await this.requireLinks(campaign, parts, { email: SAMPLE.to, ...samplePlaceholders(names) });
    return { ...parts, variables: usedVariables(campaign, names) };
  }

  /** Renders all parts together, as for a recipient, so that they are within the limits, too. */
  private async requireLinks(
    { accountId, fromEmail, variables }: Campaign,
    { subject, html, text }: CampaignParts,
    contact: Placeholders,
  ): Promise<void> {
    const request = { accountId, apiKeyId: null, keyLimit: null, to: SAMPLE.to, fromEmail, subject, html, text };
    const rendered = await this.content.render(
      { ...request, variables: withPlaceholders(variables, contact) },
      SAMPLE.messageId,
    );
    const link = rendered.unsubscribeUrl;
    if (html !== null && !(await this.hasVisibleLink(accountId, rendered.html ?? '', link))) throw linkMissing('html');
    if (text !== null && (link === null || !rendered.text?.includes(link))) throw linkMissing('text');
  }

  private async hasVisibleLink(accountId: string, html: string, url: string | null): Promise<boolean> {
    if (url === null) return false;
    return contentThreads.run(IS_LINK_VISIBLE, { html, url }, { accountId, size: html.length });
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

/** Each message copies the variables, so unused ones are left out. */
function usedVariables({ variables }: Campaign, names: Iterable<string>): Record<string, unknown> {
  const used = new Set([...names].map((name) => name.split('.', 1)[0]));
  return Object.fromEntries(Object.entries(variables ?? {}).filter(([name]) => used.has(name)));
}

const linkMissing = (field: 'html' | 'text') => DomainError.invalid(`${field} must contain {{unsubscribeUrl}}`);
