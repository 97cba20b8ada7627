import type { TestAccount } from './account.js';
import { FakeCampaignMessages } from './fake-campaign-messages.js';
import { TestService } from './service.js';
import { waitFor } from './wait-for.js';

export const LINK = '<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>';

/** An account with a verified sender, contacts and campaigns. */
export class CampaignFixture {
  private constructor(
    readonly service: TestService,
    readonly account: TestAccount,
    readonly messages: FakeCampaignMessages,
  ) {}

  /** Messages are stored in memory. */
  static async start(variables: Record<string, string> = {}): Promise<CampaignFixture> {
    const fixture = await CampaignFixture.startWithDelivery(variables);
    Object.assign(fixture, { messages: FakeCampaignMessages.in(fixture.service) });
    return fixture;
  }

  /** Messages are accepted and delivered; `messages` stays empty. */
  static async startWithDelivery(variables: Record<string, string> = {}): Promise<CampaignFixture> {
    const service = await TestService.start(variables);
    const account = await service.createAccount({ dailySendCap: 1_000_000 });
    await account.verifySender('hello@example.org');
    return new CampaignFixture(service, account, new FakeCampaignMessages());
  }

  /** For another account of the service. */
  static forAccount(service: TestService, account: TestAccount): CampaignFixture {
    return new CampaignFixture(service, account, new FakeCampaignMessages());
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  async addList(name: string, account = this.account): Promise<string> {
    const { body } = await account.asAdmin('post', '/api/lists').send({ name }).expect(201);
    return body.id as string;
  }

  /** Returns the contact. */
  async addContact(email: string, fields: object = {}, account = this.account): Promise<{ id: string }> {
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email, ...fields });
    return body as { id: string };
  }

  /** Adds this many new contacts to the list, by default a new one. Returns the list. */
  async addListOf(count: number, domain = 'example.com', existingId?: string): Promise<string> {
    made += 1;
    const listId = existingId ?? (await this.addList(`readers ${made}`));
    const contacts = Array.from({ length: count }, (_, n) => ({ email: `reader-${made}-${n}@${domain}` }));
    for (let from = 0; from < count; from += 5_000)
      await this.account
        .asAdmin('post', '/api/contacts/import')
        .send({ contacts: contacts.slice(from, from + 5_000), listId })
        .expect(200);
    return listId;
  }

  plan(fields: object = {}): object {
    return { name: 'News', fromEmail: 'hello@example.org', subject: 'News', html: LINK, ...fields };
  }

  async create(fields: object = {}) {
    return (await this.account.asAdmin('post', '/api/campaigns').send(this.plan(fields)).expect(201)).body;
  }

  /** A draft for a new list with this many contacts. */
  async createFor(count: number, fields: object = {}) {
    return this.create({ audience: { listIds: [await this.addListOf(count)] }, ...fields });
  }

  act(id: string, action: string) {
    return this.account.asAdmin('post', `/api/campaigns/${id}/${action}`);
  }

  async get(id: string) {
    return (await this.account.asMember('get', `/api/campaigns/${id}`).expect(200)).body;
  }

  /** Resolves with the campaign once it has this status. */
  untilStatus(id: string, status: string) {
    return waitFor(`the campaign to be ${status}`, async () => {
      const campaign = await this.get(id);
      return campaign.status === status ? campaign : undefined;
    });
  }

  async recipients(id: string, query = '') {
    const { body } = await this.account.asMember('get', `/api/campaigns/${id}/recipients${query}`).expect(200);
    return body as { items: Record<string, string | null>[]; nextCursor: string | null };
  }
}

let made = 0;
