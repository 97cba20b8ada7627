import {
  type CampaignContent,
  CampaignContents,
  CampaignIntake,
  type CampaignIntakeOutcome,
  type MessageStatus,
  type NewCampaignMessage,
  type PendingMessages,
  toTotals,
} from '../../src/modules/messages/index.js';
import { CampaignMessages, type CampaignRecipient, type CampaignSend } from '../../src/modules/sending/index.js';
import type { TestService } from './service.js';

type FakedMessages = Omit<CampaignMessages, 'arePaused'>;

/** Stores messages of campaigns in memory, and delivers nothing by itself. */
export class FakeCampaignMessages
  implements FakedMessages, Pick<CampaignContents, 'freeze'>, Pick<CampaignIntake, 'findFailed'>
{
  readonly frozen = new Map<string, CampaignContent>();
  readonly messages = new Map<string, CampaignRecipient & { campaignId: string; status: MessageStatus }>();
  private readonly prepared = new Map<string, CampaignRecipient>();
  readonly offered: string[][] = [];
  readonly suppressed = new Set<string>();
  /** How many more messages the caps allow. */
  room = Infinity;
  /** The status of accepted messages. */
  status: MessageStatus = 'delivered';
  /** How many offers are stored without an answer, as if the worker were killed then. */
  crashes = 0;

  /** Takes the place of the services' own. */
  static in(...services: TestService[]): FakeCampaignMessages {
    const fake = new FakeCampaignMessages();
    const replace = (replaced: object, ...names: (keyof FakedMessages | 'freeze' | 'findFailed')[]) => {
      for (const name of names)
        Object.assign(replaced, {
          [name]: (...values: never[]) => (fake[name] as (...all: never[]) => unknown).apply(fake, values),
        });
    };
    for (const { app } of services) {
      const messages = app.get(CampaignMessages, { strict: false });
      replace(messages, 'prepare', 'accept', 'countPending', 'totals', 'totalsOf');
      replace(app.get(CampaignContents, { strict: false }), 'freeze');
      replace(app.get(CampaignIntake, { strict: false }), 'findFailed');
    }
    return fake;
  }

  freeze(_: string, { id }: Pick<CampaignSend, 'id'>, content: CampaignContent): Promise<void> {
    if (!this.frozen.has(id)) this.frozen.set(id, content);
    return Promise.resolve();
  }

  prepare(_: CampaignSend, recipients: readonly CampaignRecipient[]): Promise<NewCampaignMessage[]> {
    const messages = recipients.map((recipient) => {
      const { messageId: id, createdAt, contactId, email, placeholders } = recipient;
      this.prepared.set(id, recipient);
      const common = { subject: null, unsubscribeUrl: '', isSuppressed: this.suppressed.has(email) };
      return { id, createdAt, contactId, placeholders, recipient: email, normalisedRecipient: email, ...common };
    });
    return Promise.resolve(messages);
  }

  accept({ id }: CampaignSend, messages: readonly NewCampaignMessage[]): Promise<CampaignIntakeOutcome[]> {
    this.offered.push(messages.map(({ id: messageId }) => messageId));
    const outcomes = messages.map(({ id: messageId, isSuppressed }): CampaignIntakeOutcome => {
      const recipient = this.prepared.get(messageId);
      if (!recipient || this.messages.has(messageId)) return 'duplicate';
      if (isSuppressed) return 'suppressed';
      if (this.room === 0) return 'over_cap';
      this.room -= 1;
      this.messages.set(messageId, { ...recipient, campaignId: id, status: this.status });
      return 'accepted';
    });
    this.crashes -= 1;
    return this.crashes >= 0 ? Promise.reject(new Error('killed')) : Promise.resolve(outcomes);
  }

  countPending(_: string, campaignId: string): Promise<PendingMessages> {
    const due = this.forCampaign(campaignId).filter(({ status }) => status === 'queued').length;
    return Promise.resolve({ due, postponed: 0 });
  }

  totals(_: string, campaignId: string) {
    const counts = this.forCampaign(campaignId).map(({ status }) => ({
      ...{ status, messages: 1, opened: 0, opens: 0, clicked: 0, clicks: 0 },
    }));
    return Promise.resolve({ ...toTotals(counts), unsubscribed: 0 });
  }

  async totalsOf(accountId: string, campaignIds: readonly string[]) {
    return new Map(await Promise.all(campaignIds.map(async (id) => [id, await this.totals(accountId, id)] as const)));
  }

  findFailed(
    _: string,
    campaignId: string,
    { afterId, upToId }: { afterId: string; upToId: string },
    limit: number,
  ): Promise<string[]> {
    const failed = this.forCampaign(campaignId).filter(({ status }) => status === 'failed');
    const ids = failed.map(({ messageId }) => messageId).sort();
    return Promise.resolve(ids.filter((id) => id > afterId && id <= upToId).slice(0, limit));
  }

  deliver(campaignId: string): void {
    for (const message of this.forCampaign(campaignId)) message.status = 'delivered';
  }

  forCampaign(campaignId: string) {
    return [...this.messages.values()].filter((message) => message.campaignId === campaignId);
  }
}
