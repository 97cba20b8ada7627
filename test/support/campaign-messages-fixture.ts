import { type CampaignContent, CampaignContents, CampaignIntake } from '../../src/modules/messages/index.js';
import { CampaignMessages, type CampaignRecipient, type CampaignSend } from '../../src/modules/sending/index.js';
import { newId, newIds } from '../../src/shared/ids.js';
import type { TestAccount } from './account.js';
import type { TestService } from './service.js';

export const SENDER = 'news@example.com';

/** Passes the messages of a campaign to the service, as the campaigns module does. */
export class CampaignFixture {
  readonly id = newId(new Date());
  readonly send: CampaignSend;

  constructor(
    private readonly service: TestService,
    readonly account: TestAccount,
  ) {
    this.send = {
      ...{ id: this.id, accountId: account.id, name: 'May news' },
      ...{ fromEmail: SENDER, fromName: 'News', replyTo: null, topicId: null },
    };
  }

  get messages(): CampaignMessages {
    return this.service.app.get(CampaignMessages, { strict: false });
  }

  get intake(): CampaignIntake {
    return this.service.app.get(CampaignIntake, { strict: false });
  }

  /** Once for a campaign, which runs from then on: nothing of one that is gone is sent. */
  async freeze(content: Partial<CampaignContent> = {}): Promise<void> {
    await this.service.query(
      `INSERT INTO campaigns (id, account_id, name, from_email, list_ids, tags, exclude_list_ids, exclude_tags, status, created_at)
       VALUES ($1, $2, $3, $4, '{}', '{}', '{}', '{}', 'running', clock_timestamp()) ON CONFLICT DO NOTHING`,
      [this.id, this.account.id, this.send.name, SENDER],
    );
    await this.service.app.get(CampaignContents, { strict: false }).freeze(this.account.id, this.send, {
      subject: 'Hello {{firstName}}',
      html: '<p>Dear {{firstName}}, <a href="{{unsubscribeUrl}}">unsubscribe</a></p>',
      text: null,
      variables: {},
      ...content,
    });
  }

  async accept(recipients: readonly CampaignRecipient[]) {
    return this.messages.accept(this.send, await this.messages.prepare(this.send, recipients));
  }
}

/** Recipients named `r0@example.org` and so on. */
export function recipients(count: number, changes: Partial<CampaignRecipient> = {}): CampaignRecipient[] {
  const createdAt = changes.createdAt ?? new Date();
  return newIds(createdAt, count).map((messageId, i) => {
    const email = `r${i}@example.org`;
    const placeholders = { email, firstName: `Person ${i}`, lastName: '', company: '' };
    return { messageId, createdAt, contactId: newId(createdAt), email, placeholders, ...changes };
  });
}
