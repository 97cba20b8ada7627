import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { DomainError } from '../../../shared/domain-error.js';
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
import { PermanentDeliveryError } from '../domain/delivery-error.js';
import { DerivedText } from '../domain/derived-text.js';
import { type Parts, withoutEmptyBody } from './render-content.service.js';

/** Characters of all cached contents; a campaign has at most two million. */
const MAX_CHARACTERS = 20_000_000;
const ENTRY_COST = 1_000;

interface CampaignKey {
  accountId: string;
  campaignId: string;
}

type Placeholders = Readonly<Record<string, string>>;

/** What is worked out once for all messages of a campaign. */
interface Prepared {
  names: ReadonlySet<string>;
  /** By the names of the placeholders that have values. */
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
    sizeCalculation: ({ html, text, variables }) =>
      ENTRY_COST + (html?.length ?? 0) + (text?.length ?? 0) + JSON.stringify(variables).length,
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

  /** Null if it is not kept. */
  async find(accountId: string, campaignId: string): Promise<CampaignContent | null> {
    return (await this.contents.fetch(`${accountId} ${campaignId}`, { context: { accountId, campaignId } })) ?? null;
  }

  /** The placeholders that the content uses. Empty ones are left out: then `variables` may have a value. */
  used(content: CampaignContent, placeholders: Placeholders): Placeholders {
    const { names } = this.prepare(content);
    return Object.fromEntries(Object.entries(placeholders).filter(([name, value]) => names.has(name) && value !== ''));
  }

  /** Null if it is not a valid header: the message then fails when it is delivered, with the reason. */
  subject(content: CampaignContent, placeholders: Placeholders, unsubscribeUrl: string): string | null {
    const parts = { subject: content.subject, html: null, text: null, variables: content.variables };
    try {
      return this.parts(parts, onOneLine(placeholders), unsubscribeUrl).subject;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  async render(accountId: string, campaignId: string, stored: StoredContent): Promise<MessageContent | null> {
    const content = await this.find(accountId, campaignId);
    if (!content) return null;
    const { placeholders, unsubscribeUrl } = stored;
    const { html, text } = this.parts({ ...content, subject: '' }, placeholders ?? {}, unsubscribeUrl ?? '');
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
      const { subject, ...bodies } = this.parts(
        { ...content, subject: message.subject === null ? content.subject : '' },
        placeholders,
        message.unsubscribeUrl ?? '',
      );
      const text = bodies.text ?? (await this.deriveText(content, placeholders, message.unsubscribeUrl ?? ''));
      return { html: bodies.html, text, subject: message.subject ?? subject };
    } catch (error) {
      throw error instanceof DomainError ? new PermanentDeliveryError(error.message) : error;
    }
  }

  /** Null if the text must be derived from the message. */
  private async deriveText(
    content: CampaignContent,
    placeholders: Placeholders,
    unsubscribeUrl: string,
  ): Promise<string | null> {
    const values = { ...placeholders, unsubscribeUrl };
    const names = Object.keys(values).sort();
    const { texts } = this.prepare(content);
    const key = names.join(' ');
    const render = ({ unsubscribeUrl: url = '', ...markers }: Placeholders) => this.parts(content, markers, url).html;
    // What is at fault shows when the message itself is rendered.
    const text = texts.get(key) ?? DerivedText.from(names, render).catch(() => null);
    texts.set(key, text);
    return (await text)?.fill(values) ?? null;
  }

  private prepare(content: CampaignContent): Prepared {
    const prepared = this.prepared.get(content) ?? { names: this.templates.namesIn(content), texts: new Map() };
    this.prepared.set(content, prepared);
    return prepared;
  }

  private parts({ variables, ...parts }: CampaignContent, placeholders: Placeholders, unsubscribeUrl: string): Parts {
    const all = { ...variables, ...placeholders, unsubscribeUrl: new TemplateLink(() => unsubscribeUrl) };
    return withoutEmptyBody(this.templates.renderParts(parts, all));
  }
}

/** A message whose bodies its campaign has. */
type RenderedMessage = ClaimedMessage & { campaignId: string; placeholders: Placeholders };

export const isRendered = (message: ClaimedMessage): message is RenderedMessage =>
  message.campaignId !== null && Boolean(message.placeholders);

/** A contact's name may hold line breaks, a subject must not. */
const onOneLine = (placeholders: Placeholders): Placeholders =>
  Object.fromEntries(
    Object.entries(placeholders).map(([name, value]) => [name, value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')]),
  );
