import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { Channel } from '../src/shared/channel.js';
import type { ChaosAccount, ChaosAccounts, ChaosKey } from './accounts.js';
import { type Clients, exchangeOf } from './clients.js';
import type { AddressOfAccount, SuppressedSend } from './evidence/evidence.js';
import { ScheduleRecords } from './evidence/schedules.js';
import { SendRecords, UNANSWERED } from './evidence/sends.js';
import type { Options } from './options.js';
import { drawOf } from './random.js';
import { recordReply, sendRequest } from './send-requests.js';

/** The rest is e-mail through SES. A third of the sends of the capped account are SMS too. */
const SHARES = { capped: 0.1, sms: 0.25, smtp: 0.4 };
const CAPPED_SMS_EVERY = 3;
/**
 * Share of the sends without a cap. Shares of these: first requests that the client aborts, and sends that are repeated
 * after their 201.
 */
const RETRIED_UNTIL_ACCEPTED = 0.2;
const ABORTED = 0.3;
/** About when the message is stored. */
const ABORTS_WITHIN_MS = 20;
const REPEATED_LATER = 0.5;
const REPEATED_WITHIN_MS = 3_000;
/** Share of the sends without a cap that are neither repeated nor due at once, and share of these that are canceled. */
const SCHEDULED = 0.1;
const CANCELED = 0.4;
const SCHEDULED_WITHIN_MS = 15_000;
/**
 * Cancellations come within this multiple of the time until the scheduled one: some race with the claim, some are too
 * late.
 */
const CANCELED_UNTIL = 1.2;
const READS_EVERY = 20;
/** Fewer than may wait in one process of the service, so that a read that is refused immediately is a defect. */
const MAX_CONCURRENT_READS = 20;
const SUPPRESSES_EVERY = 100;
const TICK_MS = 10;
/** Sends in flight without a rate: enough to continue while those to a stopped process time out. */
const MAX_IN_FLIGHT = 320;
const MAX_RETRYING = 2_000;
const BACKOFF_MS = 1_000;

/** The approximate number of sends of the capped account. */
export function expectedCappedSends({ goal, rate }: Options): number {
  if ('messages' in goal) return Math.ceil(goal.messages * SHARES.capped);
  return goal.seconds * (rate ?? 0) * SHARES.capped;
}

/** The clients of the accounts, which send, read and suppress, whatever the responses are. */
export class Load {
  readonly sends = new SendRecords();
  readonly schedules = new ScheduleRecords();
  /** Whether clients schedule and cancel messages: a release before these requests refuses them. */
  isScheduling = false;
  readonly suppressedSends: SuppressedSend[] = [];
  readonly suppressedByHand: AddressOfAccount[] = [];
  private sending = 0;
  private reading = 0;
  private retrying = 0;
  private cappedCount = 0;
  /** Without a rate, a client without a response waits before the next send, as Retry-After asks. */
  private backsOff = false;

  constructor(
    private readonly clients: Clients,
    private readonly accounts: ChaosAccounts,
    private readonly seed: number,
  ) {}

  /** Sends that are being retried until they are accepted, or are still to be repeated. */
  get unfinished(): number {
    return this.retrying;
  }

  /**
   * Starts sends until `isOver`: at the rate, or without one as fast as the service keeps up. Resolves after the last
   * response, except for sends that are retried until they are accepted.
   */
  async run(rate: number | null, isOver: () => boolean, keepsUp: () => boolean): Promise<void> {
    const start = performance.now();
    this.backsOff = rate === null;
    let begun = 0;
    const mayBegin = () => {
      if (isOver()) return false;
      if (rate !== null) return begun < ((performance.now() - start) * rate) / 1_000;
      return this.sending < MAX_IN_FLIGHT && this.retrying < MAX_RETRYING && keepsUp();
    };
    while (!isOver()) {
      for (; mayBegin(); begun++) this.begin(begun);
      await pause(TICK_MS);
    }
    while (this.sending + this.reading > 0) await pause(TICK_MS);
  }

  /** Runs reads concurrently. */
  async readConcurrently(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.read()));
  }

  /** Sends to an address that is suppressed. */
  async sendToSuppressed(account: ChaosAccount, channel: Channel, recipient: string): Promise<number> {
    const send: SuppressedSend = { recipient, status: UNANSWERED };
    this.suppressedSends.push(send);
    const reply = await this.clients.call('send', sendRequest(account, keyOf(account), channel, recipient));
    send.status = reply?.status ?? UNANSWERED;
    return send.status;
  }

  private begin(count: number): void {
    if (count % READS_EVERY === 0 && this.reading < MAX_CONCURRENT_READS) void this.read();
    if (count % SUPPRESSES_EVERY === 0) void this.suppress(count);
    void this.sendOne(count);
  }

  private async sendOne(count: number): Promise<void> {
    const { account, key, channel } = this.choose(count);
    const isRetried = account !== this.accounts.capped && drawOf(this.seed + 4, count) < RETRIED_UNTIL_ACCEPTED;
    const index = this.sends.add({ channel, isRetriedUntilAccepted: isRetried });
    this.sending += 1;
    if (isRetried) await this.sendUntilAccepted(index, account, key, channel);
    else if (this.isScheduling && account !== this.accounts.capped && drawOf(this.seed + 9, index) < SCHEDULED)
      await this.schedule(index, account, key, channel);
    else {
      const reply = await this.clients.call('send', sendRequest(account, key, channel, this.sends.recipient(index)));
      recordReply(this.sends, index, reply);
      if (this.backsOff && (reply === null || reply.status >= 500)) await pause(BACKOFF_MS);
      this.sending -= 1;
    }
  }

  private choose(count: number): { account: ChaosAccount; key: ChaosKey; channel: Channel } {
    const { smtp, aws, capped } = this.accounts;
    const draw = drawOf(this.seed, count);
    if (draw < SHARES.capped) {
      const number = this.cappedCount++;
      const channel = number % CAPPED_SMS_EVERY === 0 ? 'sms' : 'email';
      return { account: capped, key: keyOf(capped, number), channel };
    }
    if (draw < SHARES.capped + SHARES.sms) return { account: aws, key: keyOf(aws), channel: 'sms' };
    const account = draw < SHARES.capped + SHARES.sms + SHARES.smtp ? smtp : aws;
    return { account, key: keyOf(account), channel: 'email' };
  }

  /**
   * Repeats the same request until it is answered with 201. Some repeat it later, like a client that lost the response.
   */
  private async sendUntilAccepted(
    index: number,
    account: ChaosAccount,
    key: ChaosKey,
    channel: Channel,
  ): Promise<void> {
    this.retrying += 1;
    const recipient = this.sends.recipient(index);
    const request = sendRequest(account, key, channel, recipient, {
      headers: { 'idempotency-key': randomUUID() },
    });
    const isAborted = drawOf(this.seed + 7, index) < ABORTED;
    if (isAborted) {
      const withinMs = drawOf(this.seed + 8, index) * ABORTS_WITHIN_MS;
      recordReply(this.sends, index, await this.clients.call('send', { ...request, withinMs }));
    }
    this.sending -= 1; // retries do not hold up other sends
    const repeated = isAborted ? 'repeat a send' : 'send';
    recordReply(this.sends, index, await this.clients.retryUntilAccepted(repeated, request));
    if (drawOf(this.seed + 5, index) < REPEATED_LATER) {
      await pause(drawOf(this.seed + 6, index) * REPEATED_WITHIN_MS);
      recordReply(this.sends, index, await this.clients.retryUntilAccepted('repeat a send', request));
    }
    this.retrying -= 1;
  }

  /** Sends a message for later. Some are canceled, at any time up to when they are due, and a little after it. */
  private async schedule(index: number, account: ChaosAccount, key: ChaosKey, channel: Channel): Promise<void> {
    const afterMs = 1 + Math.floor(drawOf(this.seed + 10, index) * SCHEDULED_WITHIN_MS);
    const at = Date.now() + afterMs;
    this.schedules.add(index, at);
    const scheduledAt = new Date(at).toISOString();
    const request = sendRequest(account, key, channel, this.sends.recipient(index), { scheduledAt });
    recordReply(this.sends, index, await this.clients.call('send', request));
    this.sending -= 1;
    const [id] = this.sends.idsOf(index);
    if (id === undefined || drawOf(this.seed + 11, index) >= CANCELED) return;
    this.retrying += 1;
    await pause(drawOf(this.seed + 12, index) * afterMs * CANCELED_UNTIL);
    const exchange = exchangeOf('POST', `/api/messages/${id}/cancel`, { 'x-api-key': key.secret });
    const reply = await this.clients.retryUntilAccepted(
      'cancel a message',
      exchange,
      ({ status }) => status < 300 || status === 409,
    );
    if (reply?.status === 200) this.schedules.canceled.add(index);
    else if (reply?.isRepeated) this.schedules.possiblyCanceled.add(index);
    this.retrying -= 1;
  }

  private async read(): Promise<void> {
    this.reading += 1;
    const headers = { 'x-api-key': keyOf(this.accounts.smtp).secret };
    await this.clients.call('list messages', exchangeOf('GET', '/api/messages', headers));
    this.reading -= 1;
  }

  /** Suppresses an address manually and then tries to send to it. */
  private async suppress(count: number): Promise<void> {
    const account = count % (2 * SUPPRESSES_EVERY) === 0 ? this.accounts.smtp : this.accounts.aws;
    const index = this.sends.add({ channel: 'email', isRetriedUntilAccepted: false });
    const address = this.sends.recipient(index);
    const exchange = exchangeOf('POST', '/api/suppressions', account.session, { email: address });
    if (!(await this.clients.retryUntilAccepted('suppress', exchange))) return;
    this.suppressedByHand.push({ accountId: account.id, address });
    const status = await this.sendToSuppressed(account, 'email', address);
    this.sends.answer(index, { status: status === 201 ? REFUSED : status });
  }
}

/** Counts as a refusal, because another check reports a 201 for a suppressed address. */
const REFUSED = 400;

const keyOf = ({ keys }: ChaosAccount, number = 0): ChaosKey => keys[number % keys.length]!;
