import {
  type CampaignContent,
  type CampaignIntakeOutcome,
  CampaignMessages,
  type CampaignRecipient,
  type CampaignSend,
  type PendingMessages,
} from '../../src/modules/sending/application/ports/campaign-messages.js';
import { type MessageStatus, toTotals } from '../../src/modules/messages/index.js';
import type { TestService } from './service.js';

/** Stores messages of campaigns in memory, and delivers nothing by itself. */
export class FakeCampaignMessages extends CampaignMessages {
  readonly frozen = new Map<string, CampaignContent>();
  readonly messages = new Map<string, CampaignRecipient & { campaignId: string; status: MessageStatus }>();
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
    for (const service of services) {
      const replaced = service.app.get(CampaignMessages, { strict: false });
      for (const name of [
        'freeze',
        'accept',
        'findStored',
        'countPending',
        'totals',
        'totalsOf',
        'findFailed',
      ] as const)
        Object.assign(replaced, {
          [name]: (...values: never[]) => (fake[name] as (...all: never[]) => unknown).apply(fake, values),
        });
    }
    return fake;
  }

  freeze({ id }: Pick<CampaignSend, 'id'>, content: CampaignContent): Promise<void> {
    if (!this.frozen.has(id)) this.frozen.set(id, content);
    return Promise.resolve();
  }

  accept({ id }: CampaignSend, recipients: readonly CampaignRecipient[]): Promise<CampaignIntakeOutcome[]> {
    this.offered.push(recipients.map(({ messageId }) => messageId));
    const outcomes = recipients.map((recipient): CampaignIntakeOutcome => {
      if (this.messages.has(recipient.messageId)) return 'duplicate';
      if (this.suppressed.has(recipient.email)) return 'suppressed';
      if (this.room === 0) return 'over_cap';
      this.room -= 1;
      this.messages.set(recipient.messageId, { ...recipient, campaignId: id, status: this.status });
      return 'accepted';
    });
    this.crashes -= 1;
    return this.crashes >= 0 ? Promise.reject(new Error('killed')) : Promise.resolve(outcomes);
  }

  findStored(_: string, messageIds: readonly string[]): Promise<Set<string>> {
    return Promise.resolve(new Set(messageIds.filter((id) => this.messages.has(id))));
  }

  countPending(_: string, campaignId: string): Promise<PendingMessages> {
    const due = this.of(campaignId).filter(({ status }) => status === 'queued').length;
    return Promise.resolve({ due, postponed: 0 });
  }

  totals(_: string, campaignId: string) {
    const counts = this.of(campaignId).map(({ status }) => ({
      ...{ status, messages: 1, opened: 0, opens: 0, clicked: 0, clicks: 0 },
    }));
    return Promise.resolve({ ...toTotals(counts), unsubscribed: 0 });
  }

  async totalsOf(accountId: string, campaignIds: readonly string[]) {
    return new Map(await Promise.all(campaignIds.map(async (id) => [id, await this.totals(accountId, id)] as const)));
  }

  findFailed(_: string, campaignId: string, afterId: string | null, limit: number): Promise<string[]> {
    const failed = this.of(campaignId).filter(({ status }) => status === 'failed');
    const ids = failed.map(({ messageId }) => messageId).sort();
    return Promise.resolve(ids.filter((id) => id > (afterId ?? '')).slice(0, limit));
  }

  deliver(campaignId: string): void {
    for (const message of this.of(campaignId)) message.status = 'delivered';
  }

  of(campaignId: string) {
    return [...this.messages.values()].filter((message) => message.campaignId === campaignId);
  }
}
