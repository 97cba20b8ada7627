import { createHmac } from 'node:crypto';

import type { CaughtMail, Inbox } from './inbox.js';

/** The key with which the relay signs its reports. */
const EVENT_SIGNING_KEY = 'the relay of the demo signs with this';
const DELIVERED_MS = 1_000;
/** The share of newsletter readers who open the mail, and the share of these who click. */
const [OPEN, CLICK] = [0.45, 0.3];
const OPENED_MS = { min: 4_000, max: 60_000 };
const CLICKED_MS = 6_000;
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** The settings of an account whose relay is the inbox. */
export const relayOf = ({ port }: Inbox) => ({
  ...{ host: '127.0.0.1', port, secure: false, vendor: 'generic', eventSigningKey: EVENT_SIGNING_KEY },
});

/**
 * Simulates the far side of a real relay: reports each delivery in a signed post, and lets some readers of newsletters
 * load the pixel and follow a link.
 */
export class RelayReports {
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly serviceUrl: string,
    private readonly accountId: string,
    private readonly warn: (line: string) => void,
  ) {}

  follow(inbox: Inbox): void {
    inbox.onMail((mail) => {
      const messageLogId = /^<?(c[a-z0-9]{24})@/.exec(mail.parsed.messageId ?? '')?.[1];
      if (messageLogId === undefined) return; // mail of the service itself
      this.later(DELIVERED_MS, () => this.report(messageLogId, mail));
      if (mail.parsed.headerLines.some(({ key }) => key === 'list-unsubscribe-post')) this.read(mail);
    });
  }

  /** Resolves when no request to the service is pending any more. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.running);
  }

  private async report(messageLogId: string, { envelopeTo: [recipient] }: CaughtMail): Promise<void> {
    const occurredAt = new Date().toISOString();
    const event = { id: `${messageLogId}-delivered`, type: 'delivered', messageLogId, occurredAt, recipient };
    const body = JSON.stringify(event);
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', EVENT_SIGNING_KEY).update(`${timestamp}.${body}`).digest('hex');
    const response = await fetch(`${this.serviceUrl}/api/provider-events/smtp/${this.accountId}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Signature': `t=${timestamp},v1=${signature}` },
      body,
    });
    if (!response.ok) this.warn(`The report of a delivery was answered with ${response.status}`);
  }

  /** Some open the mail, and some of these follow its first link. */
  private read({ parsed }: CaughtMail): void {
    const html = parsed.html || '';
    const addresses = [...html.matchAll(/"(http[^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
    const own = addresses.filter((address) => address.startsWith(`${this.serviceUrl}/r/`));
    const pixel = own.find((address) => address.includes('/open.gif?'));
    const link = own.find((address) => !address.includes('/open.gif?'));
    if (pixel === undefined || Math.random() >= OPEN) return;
    const opensMs = OPENED_MS.min + Math.random() * (OPENED_MS.max - OPENED_MS.min);
    this.later(opensMs, () => this.visit(pixel));
    if (link !== undefined && Math.random() < CLICK) this.later(opensMs + CLICKED_MS, () => this.visit(link));
  }

  /** Does not follow the redirect, which would leave the machine. */
  private async visit(url: string): Promise<void> {
    const response = await fetch(url, { redirect: 'manual', headers: { 'User-Agent': USER_AGENT } });
    if (response.status >= 400) this.warn(`A link of a mail was answered with ${response.status}`);
  }

  private later(delayMs: number, act: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      const running = act()
        .catch((error: unknown) => {
          this.warn((error as Error).message);
        })
        .finally(() => this.running.delete(running));
      this.running.add(running);
    }, delayMs);
    this.timers.add(timer.unref());
  }
}
