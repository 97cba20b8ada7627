import { type ClaimedMessage, eventKey } from '../../modules/messages/index.js';
import type { AccountEvent } from '../../modules/provider-events/index.js';
import type { EmailRequest } from '../../modules/sending/index.js';
import { emailDomain, normaliseEmail } from '../../shared/email-address.js';
import type { Agenda } from './agenda.js';
import type { PastClock } from './past-clock.js';
import type { PastServices } from './past-services.js';
import type { PastWebhooks } from './past-webhooks.js';
import type { Person } from './people.js';
import { type MailKind, type Reaction, reactionsTo } from './readers.js';
import type { SeededRandom } from './seeded-random.js';

const PROVIDER = 'smtp';
/** The maximum number of events that are applied in one transaction. */
const MAX_EVENTS = 200;
const SUBMISSION_MS = 900;

export interface PastAccount {
  accountId: string;
  apiKeyId: string;
  clock: PastClock;
  agenda: Agenda;
  random: SeededRandom;
}

type NewEvent = Pick<AccountEvent, 'type' | 'occurredAt' | 'data'>;
export type PastEmail = Omit<EmailRequest, 'accountId' | 'apiKeyId' | 'keyLimit' | 'to' | 'idempotencyKey'>;

/** Accepts mail as the API does, records its submission as a worker does, and then its events. */
export class PastMail {
  /** Opens, clicks and deliveries have no effect on what follows, so they need not be applied one by one. */
  private readonly events: AccountEvent[] = [];
  /** The suppressed addresses. */
  private readonly suppressed = new Set<string>();

  constructor(
    private readonly services: PastServices,
    private readonly account: PastAccount,
    private readonly webhooks: PastWebhooks,
  ) {}

  /** Sends a mail at the current time of the clock. A suppressed person gets nothing. */
  async send(email: PastEmail, person: Person, kind: MailKind): Promise<void> {
    if (this.suppressed.has(person.email)) return;
    const { messageId } = await this.accept(email, person);
    await this.submit([messageId], () => ({ person, kind }));
  }

  async accept(email: PastEmail, { email: to }: Person): Promise<{ messageId: string }> {
    const { accountId, apiKeyId } = this.account;
    return this.services.acceptEmail.accept({ ...email, accountId, apiKeyId, keyLimit: null, to });
  }

  /** Attempts the messages, which the relay accepts. */
  async submit(
    messageIds: readonly string[],
    reader: (message: ClaimedMessage) => { person: Person; kind: MailKind },
  ): Promise<void> {
    const { clock, random } = this.account;
    clock.advance(SUBMISSION_MS);
    const messages = await this.claim(messageIds);
    await Promise.all(messages.map((message) => this.record(message, { kind: 'sent', ...receiptFor(message) })));
    for (const message of messages) {
      const { person, kind } = reader(message);
      for (const reaction of reactionsTo(kind, person, random)) await this.expect(message, person, reaction);
    }
  }

  /** An attempt that the relay refuses: for good, or until the given time. */
  async refuse(messageId: string, error: string, nextAttemptAt?: Date): Promise<void> {
    this.account.clock.advance(SUBMISSION_MS);
    for (const message of await this.claim([messageId]))
      await this.record(
        message,
        nextAttemptAt ? { kind: 'retry', error, nextAttemptAt, outcomeUnknown: false } : { kind: 'failed', error },
      );
  }

  /** Schedules a complaint. */
  complain(messageId: string, person: Person, at: Date): void {
    const event = this.toEvent(messageId, { type: 'complained', occurredAt: at, data: { feedbackType: 'abuse' } });
    this.plan(at, person, () => this.apply([event]));
  }

  /** Schedules a click on "unsubscribe" in the mail client. */
  unsubscribe(messageId: string, person: Person, at: Date): void {
    const { accountId } = this.account;
    const target = { accountId, messageId, email: normaliseEmail(person.email), topicId: null };
    const client = { ip: null, userAgent: null };
    this.plan(at, person, async () => {
      await this.services.unsubscribe.oneClick(target, client);
    });
  }

  /** Plans an act that suppresses a person. */
  private plan(at: Date, { email }: Person, suppress: () => Promise<void>): void {
    this.account.agenda.add(at, async () => {
      this.suppressed.add(email);
      await suppress();
      await this.webhooks.deliver();
    });
  }

  /** Applies the events that have not been applied yet. */
  async flush(): Promise<void> {
    await this.apply(this.events.splice(0));
  }

  /** A bounce happens at its time, because it suppresses the recipient. */
  private async expect({ id }: ClaimedMessage, person: Person, { type, afterMs, data }: Reaction): Promise<void> {
    const { clock, agenda } = this.account;
    const occurredAt = new Date(clock.now().getTime() + afterMs);
    const event = this.toEvent(id, { type, occurredAt, data });
    if (type === 'bounced') {
      this.plan(occurredAt, person, () => this.apply([event]));
    } else if (occurredAt < agenda.end) {
      this.events.push(event);
      if (this.events.length >= MAX_EVENTS) await this.flush();
    }
  }

  private async apply(events: readonly AccountEvent[]): Promise<void> {
    if (events.length > 0) await this.services.transactions.run(() => this.services.events.apply(events));
  }

  private claim(messageIds: readonly string[]): Promise<ClaimedMessage[]> {
    return this.services.deliveries.claim(this.account.accountId, messageIds);
  }

  private async record(message: ClaimedMessage, outcome: Parameters<Deliveries['record']>[1]): Promise<void> {
    await this.services.deliveries.record(message, outcome, { onRetry: rethrow, onUncheckedClicks: rethrow });
  }

  private toEvent(messageId: string, event: NewEvent): AccountEvent {
    const { accountId } = this.account;
    const identity = { accountId, messageId, provider: PROVIDER, channel: 'email' } as const;
    return { ...event, ...identity, providerMessageId: null, recipient: null, id: eventKey(messageId, event.type) };
  }
}

type Deliveries = PastServices['deliveries'];

const receiptFor = ({ id, sender }: ClaimedMessage) => ({
  provider: PROVIDER,
  providerMessageId: `${id}@${emailDomain(sender)}`,
  response: '250 2.0.0 Ok: queued',
});

function rethrow(error: Error): never {
  throw error;
}
