import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { DomainError } from '../../../shared/domain-error.js';
import { bodyLength } from '../../../shared/text.js';
import {
  type CampaignContent,
  CampaignContents,
  CampaignRenderer,
  type ClaimedMessage,
  MAX_CLAIMED_BYTES,
  type MessageContent,
  type MessageTexts,
  type StoredContent,
} from '../../messages/index.js';
import { RenderTemplate, TemplateLink } from '../../templates/index.js';
import { PermanentDeliveryError } from '../../../shared/delivery-error.js';
import { DerivedText } from '../domain/derived-text.js';
import { type Placeholders, usedPlaceholders, withPlaceholders } from '../domain/placeholders.js';
import { type Parts, withoutEmptyBody } from './render-content.service.js';

/** Characters of all cached contents; a campaign has at most two million. */
const MAX_CHARACTERS = 20_000_000;
const ENTRY_COST = 1_000;
/** The maximum for one content. Contacts with fifty attributes can have any combination of them. */
const MAX_DERIVED_TEXTS = 100;

interface CampaignKey {
  accountId: string;
  campaignId: string;
}

/** The values that are computed once for all messages of a campaign. */
interface Prepared {
  names: ReadonlySet<string>;
  /** Derived texts by the names of the placeholders that have values, and of those that hide a section. */
  texts: Map<string, Promise<DerivedText | null>>;
}

/**
 * Renders messages from the content that their campaign froze. The same values give the same message, for every attempt
 * and for users who read it later.
 */
@Injectable()
export class RenderCampaign extends CampaignRenderer {
  /** Contents never change, so they need not expire. */
  private readonly contents = new LRUCache<string, CampaignContent, CampaignKey>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (content) => ENTRY_COST + bodyLength(content) + JSON.stringify(content.variables).length,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { accountId, campaignId } }) =>
      (await this.stored.find(accountId, campaignId)) ?? undefined,
  });

  private readonly prepared = new WeakMap<CampaignContent, Prepared>();

  constructor(
    private readonly stored: CampaignContents,
    private readonly templates: RenderTemplate,
  ) {
    super();
  }

  /** Null if the content is not kept. */
  async find(accountId: string, campaignId: string): Promise<CampaignContent | null> {
    return (await this.contents.fetch(`${accountId} ${campaignId}`, { context: { accountId, campaignId } })) ?? null;
  }

  /** The placeholders that the content uses. */
  used(content: CampaignContent, placeholders: Placeholders): Placeholders {
    return usedPlaceholders(this.prepare(content).names, placeholders);
  }

  /** Null if it is not a valid header: the message then fails when it is delivered, with the reason. */
  async subject(
    accountId: string,
    content: CampaignContent,
    placeholders: Placeholders,
    unsubscribeUrl: string,
  ): Promise<string | null> {
    const parts = { subject: content.subject, html: null, text: null, variables: content.variables };
    try {
      return (await this.parts(accountId, parts, onOneLine(placeholders), unsubscribeUrl)).subject;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'invalid') return null;
      throw error;
    }
  }

  async render(accountId: string, campaignId: string, stored: StoredContent): Promise<MessageContent | null> {
    const content = await this.find(accountId, campaignId);
    if (!content) return null;
    const { placeholders, unsubscribeUrl } = stored;
    const parts = { ...content, subject: '' };
    const { html, text } = await this.parts(accountId, parts, placeholders ?? {}, unsubscribeUrl ?? '');
    return { html, text, unsubscribeUrl };
  }

  /**
   * A message of a campaign with its subject and bodies; any other message as it is. Bodies that are too large to hold
   * without a share of the memory are left out, as from a claim, and `texts` renders them again: their size is known
   * only once they are rendered. Throws PermanentDeliveryError if it cannot be rendered.
   */
  async fill(message: ClaimedMessage): Promise<ClaimedMessage> {
    if (!isRendered(message)) return message;
    const { subject, html, text } = await this.filled(message);
    const bytes = Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '');
    if (bytes > MAX_CLAIMED_BYTES) return { ...message, subject, unreadBytes: bytes };
    return { ...message, subject, html, text };
  }

  /** The bodies of a message of a campaign. Throws like `fill`. */
  async texts(message: RenderedMessage): Promise<MessageTexts> {
    const { html, text } = await this.filled(message);
    return { html, text };
  }

  /** Content without a text part gets a derived one where that is cheap. */
  private async filled(message: RenderedMessage): Promise<Parts> {
    const { accountId, campaignId, placeholders } = message;
    const content = await this.find(accountId, campaignId);
    if (!content) throw new PermanentDeliveryError('Its content is no longer kept');
    try {
      const { subject, ...bodies } = await this.parts(
        accountId,
        { ...content, subject: message.subject === null ? content.subject : '' },
        placeholders,
        message.unsubscribeUrl ?? '',
      );
      const text =
        bodies.text ?? (await this.deriveText(accountId, content, placeholders, message.unsubscribeUrl ?? ''));
      return { html: bodies.html, text, subject: message.subject ?? subject };
    } catch (error) {
      throw error instanceof DomainError && error.kind === 'invalid'
        ? new PermanentDeliveryError(error.message)
        : error;
    }
  }

  /** Null if the text must be derived from the message. */
  private async deriveText(
    accountId: string,
    content: CampaignContent,
    placeholders: Placeholders,
    unsubscribeUrl: string,
  ): Promise<string | null> {
    const entries = Object.entries(placeholders);
    // No marker can stand for false and 0, which hide a section.
    const fixed = Object.fromEntries(entries.filter(([, value]) => !value));
    const marked = entries.filter(([, value]) => value).map(([name, value]) => [name, String(value)]);
    const values = { ...(Object.fromEntries(marked) as Record<string, string>), unsubscribeUrl };
    const names = Object.keys(values).sort();
    const key = JSON.stringify([names, fixed]);
    const render = async ({ unsubscribeUrl: url = '', ...markers }: Readonly<Record<string, string>>) =>
      (await this.parts(accountId, content, { ...fixed, ...markers }, url)).html;
    const { texts } = this.prepare(content);
    if (!texts.has(key) && texts.size >= MAX_DERIVED_TEXTS) return null;
    // The fault shows when the message itself is rendered.
    const text = texts.get(key) ?? DerivedText.from(accountId, names, render).catch(() => null);
    texts.set(key, text);
    return (await text)?.fill(values) ?? null;
  }

  private prepare(content: CampaignContent): Prepared {
    const prepared = this.prepared.get(content) ?? { names: this.templates.namesIn(content), texts: new Map() };
    this.prepared.set(content, prepared);
    return prepared;
  }

  private async parts(
    accountId: string,
    { variables, ...parts }: CampaignContent,
    placeholders: Placeholders,
    unsubscribeUrl: string,
  ): Promise<Parts> {
    const link = new TemplateLink(() => unsubscribeUrl);
    const all = { preferencesUrl: link, ...withPlaceholders(variables, placeholders), unsubscribeUrl: link };
    return withoutEmptyBody(await this.templates.renderParts(accountId, parts, all));
  }
}

/** A message whose bodies its campaign has. */
type RenderedMessage = ClaimedMessage & { campaignId: string; placeholders: Placeholders };

export const isRendered = (message: ClaimedMessage): message is RenderedMessage =>
  message.campaignId !== null && Boolean(message.placeholders);

/** A contact's attributes may hold line breaks, a subject must not. */
const onOneLine = (placeholders: Placeholders): Placeholders =>
  Object.fromEntries(
    Object.entries(placeholders).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ') : value,
    ]),
  );
