import {
  type CampaignContent,
  CampaignMessages,
  type CampaignRecipient,
  type CampaignSend,
} from '../../src/modules/sending/index.js';
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
      ...{ fromEmail: SENDER, fromName: 'News', replyTo: null },
    };
  }

  get messages(): CampaignMessages {
    return this.service.app.get(CampaignMessages, { strict: false });
  }

  async freeze(content: Partial<CampaignContent> = {}): Promise<void> {
    await this.messages.freeze(this.send, {
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
