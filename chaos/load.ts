import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { type ChaosAccount, type ChaosAccounts, type ChaosKey } from './accounts.js';
import { type Clients, exchangeOf } from './clients.js';
import type { AddressOfAccount, Send } from './evidence.js';
import { drawOf } from './random.js';
import { hangingUp, sendOf, take } from './send.js';

export const SENDS_PER_SECOND = 20;
const SHARE = { capped: 0.15, ses: 0.4 };
/** Of the sends without a cap: those that are insisted on. Of these: first requests that are hung up on, and what is repeated after its 201 too. */
const INSISTED = 0.2;
const HUNG_UP = 0.3;
/** About when it is stored: some before, some after. */
const HANGS_UP_WITHIN_MS = 20;
const REPEATED_LATER = 0.5;
const REPEATED_WITHIN_MS = 3_000;
const READS_EVERY = 8;
const SUPPRESSES_EVERY = 20;

export const cappedSends = (seconds: number) => seconds * SENDS_PER_SECOND * SHARE.capped;

/** What the account's systems and people do: they send, read and suppress at a steady pace, whatever is answered. */
export class Load {
  readonly sends: Send[] = [];
  readonly suppressedByHand: AddressOfAccount[] = [];
  private readonly underWay = new Set<Promise<unknown>>();
  private cappedCount = 0;
  private insisting = 0;

  constructor(
    private readonly clients: Clients,
    private readonly accounts: ChaosAccounts,
    private readonly seed: number,
  ) {}

  /** Sends that are insisted on and are not over, their later repetition included. */
  get unfinished(): number {
    return this.insisting;
  }

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
    const recipient = `recipient-${index}@example.org`;
    const isInsisted = account !== this.accounts.capped && drawOf(this.seed + 4, index) < INSISTED;
    if (isInsisted) void this.insist(index, account, key, recipient);
    else await this.send(account, key, recipient, false);
  }

  private choose(index: number): [ChaosAccount, ChaosKey | undefined] {
    const { smtp, ses, capped } = this.accounts;
    const draw = drawOf(this.seed, index);
    if (draw < SHARE.capped) return [capped, capped.keys[this.cappedCount++ % capped.keys.length]];
    return draw < SHARE.capped + SHARE.ses ? [ses, ses.keys[0]] : [smtp, smtp.keys[0]];
  }

  private async send(account: ChaosAccount, key: ChaosKey | undefined, recipient: string, isSuppressed: boolean) {
    const send = this.note(account, key, { recipient, isSuppressed, isInsisted: false });
    take(send, await this.clients.call('send', sendOf(account, key, recipient)));
  }

  /** The very same request until it is answered 201. Later some ask again, as whoever lost the answer does. */
  private async insist(index: number, account: ChaosAccount, key: ChaosKey | undefined, recipient: string) {
    this.insisting += 1;
    const send = this.note(account, key, { recipient, isSuppressed: false, isInsisted: true });
    const exchange = sendOf(account, key, recipient, { 'idempotency-key': randomUUID() });
    const hangsUp = drawOf(this.seed + 7, index) < HUNG_UP;
    if (hangsUp) {
      const hasty = hangingUp(exchange, drawOf(this.seed + 8, index) * HANGS_UP_WITHIN_MS);
      take(send, await this.clients.call('send', hasty));
    }
    take(send, await this.clients.insist(hangsUp ? 'repeat a send' : 'send', exchange));
    if (drawOf(this.seed + 5, index) < REPEATED_LATER) {
      await pause(drawOf(this.seed + 6, index) * REPEATED_WITHIN_MS);
      take(send, await this.clients.insist('repeat a send', exchange));
    }
    this.insisting -= 1;
  }

  /** Before it is answered: one that never is counts as cut. */
  private note(
    { id }: ChaosAccount,
    key: ChaosKey | undefined,
    about: Pick<Send, 'recipient' | 'isSuppressed' | 'isInsisted'>,
  ): Send {
    const send: Send = { ...about, accountId: id, keyId: key?.id ?? '', status: 'cut', accepted: [] };
    this.sends.push(send);
    return send;
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
