import { setTimeout as pause } from 'node:timers/promises';

import { type ChaosAccount, type ChaosAccounts, type ChaosKey } from './accounts.js';
import { type Clients, exchangeOf } from './clients.js';
import type { AddressOfAccount, Send } from './evidence.js';
import { drawOf } from './random.js';

export const SENDS_PER_SECOND = 10;
const SHARE = { capped: 0.15, ses: 0.4 };
const READS_EVERY = 4;
const SUPPRESSES_EVERY = 10;

export const cappedSends = (seconds: number) => seconds * SENDS_PER_SECOND * SHARE.capped;

/** What the account's systems and people do: they send, read and suppress at a steady pace, whatever is answered. */
export class Load {
  readonly sends: Send[] = [];
  readonly suppressedByHand: AddressOfAccount[] = [];
  private readonly underWay = new Set<Promise<unknown>>();
  private cappedCount = 0;

  constructor(
    private readonly clients: Clients,
    private readonly accounts: ChaosAccounts,
    private readonly seed: number,
  ) {}

  /** Ends when the last call is answered, those that are repeated until they succeed apart. */
  async run(seconds: number): Promise<void> {
    const start = performance.now();
    for (let i = 0; i < seconds * SENDS_PER_SECOND; i++) {
      await pause(Math.max(0, start + (i * 1_000) / SENDS_PER_SECOND - performance.now()));
      this.begin(this.sendOne(i));
      if (i % READS_EVERY === 0) this.begin(this.read());
      if (i % SUPPRESSES_EVERY === 0) void this.suppress(i);
    }
    await Promise.all(this.underWay);
  }

  /** As many reads at once. */
  async readAtOnce(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.read()));
  }

  private begin(work: Promise<unknown>): void {
    this.underWay.add(work);
    void work.finally(() => this.underWay.delete(work));
  }

  private async sendOne(index: number): Promise<void> {
    const [account, key] = this.choose(index);
    await this.send(account, key, `recipient-${index}@example.org`, false);
  }

  private choose(index: number): [ChaosAccount, ChaosKey | undefined] {
    const { smtp, ses, capped } = this.accounts;
    const draw = drawOf(this.seed, index);
    if (draw < SHARE.capped) return [capped, capped.keys[this.cappedCount++ % capped.keys.length]];
    return draw < SHARE.capped + SHARE.ses ? [ses, ses.keys[0]] : [smtp, smtp.keys[0]];
  }

  private async send(
    { id, sender }: ChaosAccount,
    key: ChaosKey | undefined,
    recipient: string,
    isSuppressed: boolean,
  ): Promise<void> {
    const body = { to: recipient, fromEmail: sender, subject: 'Your order', html: '<p>It is on its way.</p>' };
    const headers = { 'x-api-key': key?.secret ?? '' };
    const reply = await this.clients.call('send', exchangeOf('POST', '/api/send/transactional', headers, body));
    const messageId = reply?.status === 201 ? (JSON.parse(reply.body) as { messageLogId: string }).messageLogId : null;
    this.sends.push({
      accountId: id,
      keyId: key?.id ?? '',
      recipient,
      status: reply?.status ?? 'cut',
      messageId,
      isSuppressed,
    });
  }

  private async read(): Promise<void> {
    const headers = { 'x-api-key': this.accounts.smtp.keys[0]?.secret ?? '' };
    await this.clients.call('list messages', exchangeOf('GET', '/api/messages', headers));
  }

  /** And tries to send to the address afterwards. */
  private async suppress(index: number): Promise<void> {
    const account = index % (2 * SUPPRESSES_EVERY) === 0 ? this.accounts.smtp : this.accounts.ses;
    const address = `suppressed-${index}@example.org`;
    const exchange = exchangeOf('POST', '/api/suppressions', account.session, { email: address });
    if (!(await this.clients.insist('suppress', exchange))) return;
    this.suppressedByHand.push({ accountId: account.id, address });
    await this.send(account, account.keys[0], address, true);
  }
}
