import { setTimeout as pause } from 'node:timers/promises';

import { KeyedLimit } from '../src/shared/keyed-limit.js';
import type { FakeAws } from '../test/support/fake-aws/fake-aws.js';
import type { SmtpSink } from '../test/support/smtp-sink.js';
import { SIGN } from '../test/support/vendor-posts.js';
import type { ChaosAccounts } from './accounts.js';
import type { Clients, Exchange } from './clients.js';
import type { Report } from './evidence.js';
import { drawOf } from './random.js';

interface Mail {
  messageId: string;
  recipient: string;
  provider: 'smtp' | 'ses';
  providerMessageId: string;
}

const LOOK_EVERY_MS = 100;
const LATEST_MS = 3_000;
const REPEATED = 0.2;
/** A provider that has much to tell again does not tell all of it at once. */
const TELLS_AT_ONCE = 8;
const HISTORIES: [upTo: number, history: Report['type'][]][] = [
  [0.1, ['bounced']],
  [0.15, ['complained']],
  [0.3, ['delivered', 'opened']],
  [0.55, ['delivered']],
];

/** What both providers tell of the mails they took, of each mail once it first came. Some they tell twice. */
export class Reports {
  /** Answered 200. */
  readonly made: Report[] = [];
  private readonly known = new Set<string>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly places = new KeyedLimit(TELLS_AT_ONCE);
  private looking = true;

  constructor(
    private readonly clients: Clients,
    private readonly accounts: ChaosAccounts,
    private readonly providers: { sink: SmtpSink; aws: FakeAws },
    private readonly seed: number,
  ) {}

  get unfinished(): number {
    return this.underWay.size;
  }

  async run(): Promise<void> {
    let [ofSmtp, ofSes] = [0, 0];
    while (this.looking) {
      const [mails, sent] = [this.providers.sink.received(), this.providers.aws.sent()];
      for (; ofSmtp < mails.length; ofSmtp++) {
        const { envelope, parsed } = mails[ofSmtp] ?? {};
        if (envelope?.from !== this.accounts.smtp.sender) continue;
        const id = (parsed?.messageId ?? '').slice(1).split('@')[0] ?? '';
        this.take({ messageId: id, recipient: envelope.to[0] ?? '', provider: 'smtp', providerMessageId: id });
      }
      for (; ofSes < sent.length; ofSes++) {
        const { messageId = '', to = [], tags = {} } = sent[ofSes] ?? {};
        this.take({
          messageId: tags.message_id ?? '',
          recipient: to[0] ?? '',
          provider: 'ses',
          providerMessageId: messageId,
        });
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  stop(): void {
    this.looking = false;
  }

  private take(mail: Mail): void {
    if (this.known.has(mail.messageId)) return;
    this.known.add(mail.messageId);
    const work = this.tell(mail);
    this.underWay.add(work);
    void work.finally(() => this.underWay.delete(work));
  }

  private async tell(mail: Mail): Promise<void> {
    const index = Number(/\d+/.exec(mail.recipient)?.[0] ?? 0);
    const draw = drawOf(this.seed + 1, index);
    const history = HISTORIES.find(([upTo]) => draw < upTo)?.[1] ?? [];
    await pause(drawOf(this.seed + 2, index) * LATEST_MS);
    const timestamp = new Date();
    for (const type of history) {
      const exchange = this.exchangeOf(mail, type, timestamp);
      const isTwice = drawOf(this.seed + 3, index) < REPEATED;
      const stored = await Promise.all(
        Array.from({ length: isTwice ? 2 : 1 }, () =>
          this.places.run(mail.provider, () => this.clients.insist('report', exchange)),
        ),
      );
      const { messageId, recipient, provider } = mail;
      if (stored.every(Boolean)) this.made.push({ messageId, accountId: this.accounts[provider].id, recipient, type });
    }
  }

  private exchangeOf(mail: Mail, type: Report['type'], timestamp: Date): Exchange {
    const { messageId, recipient, provider, providerMessageId } = mail;
    if (provider === 'ses') {
      const path = `/api/provider-events/ses/${this.accounts.ses.id}`;
      const tags = { message_id: [messageId], account_id: [this.accounts.ses.id] };
      const about = {
        timestamp: timestamp.toISOString(),
        messageId: providerMessageId,
        destination: [recipient],
        tags,
      };
      const message = { ...SES_EVENTS[type](recipient, timestamp), mail: about };
      return (url) => this.providers.aws.notify(url + path, message);
    }
    const event = {
      id: `${type}-${messageId}`,
      type,
      messageLogId: messageId,
      occurredAt: timestamp.toISOString(),
      recipient,
    };
    return async (url, signal) => {
      const response = await fetch(`${url}/api/provider-events/smtp/${this.accounts.smtp.id}`, {
        method: 'POST',
        signal,
        ...withJson(SIGN.generic(event)),
      });
      return { status: response.status, body: await response.text() };
    };
  }
}

const withJson = ({ headers, body }: { headers: Record<string, string>; body: string }) => ({
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
const SES_EVENTS: Record<Report['type'], (recipient: string, at: Date) => object> = {
  delivered: (recipient, at) => ({
    eventType: 'Delivery',
    delivery: { timestamp: at.toISOString(), recipients: [recipient], smtpResponse: '250 ok' },
  }),
  bounced: (recipient, at) => ({
    eventType: 'Bounce',
    bounce: { timestamp: at.toISOString(), bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: recipient }] },
  }),
  complained: (recipient, at) => ({
    eventType: 'Complaint',
    complaint: { timestamp: at.toISOString(), complainedRecipients: [{ emailAddress: recipient }] },
  }),
  opened: (_, at) => ({
    eventType: 'Open',
    open: { timestamp: at.toISOString(), ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
  }),
};
