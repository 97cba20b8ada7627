import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { SIGN } from '../test/support/vendor-posts.js';
import type { ChaosAccount } from './accounts.js';
import { ask, type Clients, exchangeOf, type Reply } from './clients.js';
import { personAddress } from './evidence/addresses.js';
import { CONTENT } from './evidence/copies.js';
import type { ErasedPerson, PersonMail } from './evidence/evidence.js';
import { relayEvent } from './provider-reports.js';
import type { ReceivedMail, Relay } from './providers/relay.js';
import { sendRequest } from './send-requests.js';

const ERASES_EVERY_MS = 1_500;
const MAX_PEOPLE = 200;
/** So slow that most people are erased before their turn comes. */
const PER_MINUTE = 60;
const SCHEDULED_IN_MS = 2_000;

interface Subject extends ErasedPerson {
  contactId: string;
}

/**
 * An admin who erases people, one after the other, while messages to them, a campaign, an import and events are in
 * flight. Nobody else writes to their addresses.
 */
export class Erasures {
  readonly mails: PersonMail[] = [];
  private reporting = 0;
  private hasEnded = false;
  private isOver = false;

  private constructor(
    private readonly clients: Clients,
    private readonly account: ChaosAccount,
    private readonly campaignId: string,
    readonly people: readonly Subject[],
  ) {}

  /** Creates their contacts, and the draft of the campaign. */
  static async create(
    clients: Clients,
    account: ChaosAccount,
    relay: Relay,
    { url, seconds }: { url: string; seconds: number },
  ): Promise<Erasures> {
    const { session, sender: fromEmail } = account;
    const create = <T>(path: string, body: object) => ask<T>(url, exchangeOf('POST', path, session, body));
    const { id: listId } = await create<{ id: string }>('/api/lists', { name: 'erased' });
    const people: Subject[] = [];
    for (let number = 0; number < Math.min(MAX_PEOPLE, (seconds * 1_000) / ERASES_EVERY_MS); number++) {
      const address = personAddress(number);
      const { id } = await create<{ id: string }>('/api/contacts', { email: address, listIds: [listId] });
      people.push({ address, contactId: id, erasedAt: null });
    }
    const content = {
      subject: 'News',
      html: `<p>${CONTENT.campaign}. <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>`,
    };
    const draft = { name: 'erased', fromEmail, ...content, audience: { listIds: [listId] }, maxPerMinute: PER_MINUTE };
    const { id } = await create<{ id: string }>('/api/campaigns', draft);
    const erasures = new Erasures(clients, account, id, people);
    relay.onPersonMail = (mail) => {
      erasures.receive(mail);
    };
    return erasures;
  }

  get unfinished(): number {
    return this.reporting + (this.hasEnded ? 0 : 1);
  }

  async run(): Promise<void> {
    const start = exchangeOf('POST', `/api/campaigns/${this.campaignId}/start`, this.account.session);
    await this.clients.retryUntilAccepted('start a campaign', start, isFinal);
    for (const person of this.people) {
      if (!this.isOver) await pause(ERASES_EVERY_MS);
      await this.erase(person);
    }
    this.hasEnded = true;
  }

  /** Erases those who are left, without pauses. */
  end(): void {
    this.isOver = true;
  }

  private async erase(person: Subject): Promise<void> {
    const { session } = this.account;
    const { address, contactId } = person;
    const imported = exchangeOf('POST', '/api/contacts/import', session, { contacts: [{ email: address }] });
    const erasure = exchangeOf('POST', `/api/contacts/${contactId}/erase`, session);
    const [reply] = await Promise.all([
      this.clients.retryUntilAccepted('erase a contact', erasure),
      this.send(address),
      this.send(address, new Date(Date.now() + SCHEDULED_IN_MS).toISOString()),
      this.clients.retryUntilAccepted('import a contact', imported, isFinal),
    ]);
    if (reply) person.erasedAt = Date.now();
  }

  private async send(address: string, scheduledAt?: string): Promise<void> {
    const options = {
      headers: { 'idempotency-key': randomUUID() },
      ...(scheduledAt === undefined ? {} : { scheduledAt }),
    };
    const request = sendRequest(this.account, this.account.keys[0]!, 'email', address, options);
    await this.clients.retryUntilAccepted('send to a person', request, isFinal);
  }

  private receive({ recipient, messageId, from }: ReceivedMail): void {
    this.mails.push({ recipient, from });
    this.reporting += 1;
    const about = { messageId, recipient, at: new Date() };
    const { headers, body } = SIGN.generic([relayEvent('delivered', about), relayEvent('opened', about)]);
    const path = `/api/provider-events/smtp/${this.account.id}`;
    const exchange = {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    } as const;
    void this.clients.retryUntilAccepted('report', exchange).finally(() => (this.reporting -= 1));
  }
}

/** The address may be refused, once it is erased. */
const isFinal = ({ status }: Reply): boolean => status < 500;
