import { setTimeout as pause } from 'node:timers/promises';

import { SIGN } from '../test/support/vendor-posts.js';
import type { ChaosAccounts } from './accounts.js';
import type { Clients, Exchange } from './clients.js';
import { indexOf, isPersonAddress } from './evidence/addresses.js';
import type { CopyRecords } from './evidence/copies.js';
import type { AddressOfAccount } from './evidence/evidence.js';
import { ReportedRecords, type ReportedType } from './evidence/reported.js';
import type { Aws, AwsCopy } from './providers/aws.js';
import type { Relay } from './providers/relay.js';
import { drawOf } from './random.js';
import { sesEvent } from './ses-events.js';

type Provider = 'relay' | 'ses' | 'sns';

interface Report {
  index: number;
  recipient: string;
  /** Null for SMS. */
  messageId: string | null;
  providerMessageId: string;
  types: readonly ReportedType[];
  at: Date;
}

const POLL_MS = 100;
const LATEST_MS = 3_000;
const REPEATED = 0.2;
/** Per post of the relay and of the receipt forwarder; SES posts each event separately. */
const EVENTS_PER_POST = 50;
const MAX_CONCURRENT_POSTS: Record<Provider, number> = { relay: 2, ses: 8, sns: 2 };
const HISTORIES: [upTo: number, types: readonly ReportedType[]][] = [
  [0.03, ['bounced']],
  [0.04, ['complained']],
  [0.12, ['delivered', 'opened']],
  [0.35, ['delivered']],
];
const SMS_HISTORIES: typeof HISTORIES = [
  [0.02, ['bounced']],
  [0.35, ['delivered']],
];

/** Whether the recipient of a send bounces or complains, so that its address is suppressed. */
export const isSuppressedByReports = (seed: number, index: number): boolean => {
  const types = historyOf(HISTORIES, seed, index);
  return types.includes('bounced') || types.includes('complained');
};

const historyOf = (histories: typeof HISTORIES, seed: number, index: number): readonly ReportedType[] => {
  const draw = drawOf(seed + 1, index);
  return histories.find(([upTo]) => draw < upTo)?.[1] ?? [];
};

/** The providers report events of accepted messages, once per message, some of them twice. */
export class ProviderReports {
  readonly reported = new ReportedRecords();
  /** Addresses with a reported bounce or complaint. */
  readonly causes: AddressOfAccount[] = [];
  /** Called when a delivery receipt is stored. */
  onReceipt: (phoneNumber: string) => void = () => undefined;

  private readonly waiting: Record<Provider, Report[]> = { relay: [], ses: [], sns: [] };
  private readonly posting: Record<Provider, number> = { relay: 0, ses: 0, sns: 0 };
  /** Number of reports that are not due yet. */
  private delayed = 0;
  private isStopped = false;

  constructor(
    private readonly clients: Clients,
    private readonly accounts: ChaosAccounts,
    private readonly providers: { relay: Relay; aws: Aws },
    copies: CopyRecords,
    private readonly seed: number,
  ) {
    providers.relay.onMail = (mail) => {
      if (isPersonAddress(mail.recipient)) {
        providers.relay.onPersonMail(mail);
        return;
      }
      const isReported = mail.sender === accounts.smtp.sender;
      if (copies.add(mail) && isReported) this.plan('relay', { ...mail, providerMessageId: mail.messageId });
    };
    providers.aws.onMessage = (copy) => {
      if (copies.add(copy) && copy.accessKeyId === accounts.aws.accessKeyId)
        this.plan(copy.messageId === null ? 'sns' : 'ses', copy);
    };
  }

  get unfinished(): number {
    const counts = [...Object.values(this.waiting).map(({ length }) => length), ...Object.values(this.posting)];
    return counts.reduce((sum, count) => sum + count, this.delayed);
  }

  async run(): Promise<void> {
    while (!this.isStopped) {
      for (const provider of ['relay', 'ses', 'sns'] as const) this.postAll(provider);
      await pause(POLL_MS);
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  private plan(
    provider: Provider,
    { recipient, messageId, providerMessageId }: Pick<AwsCopy, 'recipient' | 'messageId' | 'providerMessageId'>,
  ): void {
    const index = indexOf(recipient);
    const types = historyOf(provider === 'sns' ? SMS_HISTORIES : HISTORIES, this.seed, index);
    if (types.length === 0) return;
    this.delayed += 1;
    const timer = setTimeout(
      () => {
        this.delayed -= 1;
        const report: Report = { index, recipient, messageId, providerMessageId, types, at: new Date() };
        this.waiting[provider].push(report);
        if (drawOf(this.seed + 3, index) < REPEATED) this.waiting[provider].push(report);
      },
      drawOf(this.seed + 2, index) * LATEST_MS,
    );
    timer.unref();
  }

  private postAll(provider: Provider): void {
    const waiting = this.waiting[provider];
    while (waiting.length > 0 && this.posting[provider] < MAX_CONCURRENT_POSTS[provider]) {
      void this.post(provider, waiting.splice(0, provider === 'ses' ? 1 : EVENTS_PER_POST));
    }
  }

  private async post(provider: Provider, reports: readonly Report[]): Promise<void> {
    this.posting[provider] += 1;
    let isStored = true;
    const what = provider === 'ses' ? 'report of SNS' : 'report';
    for (const exchange of this.exchangesOf(provider, reports))
      isStored = (await this.clients.retryUntilAccepted(what, exchange)) !== null && isStored;
    if (isStored) for (const report of reports) this.record(provider, report);
    this.posting[provider] -= 1;
    if (!this.isStopped) this.postAll(provider);
  }

  private record(provider: Provider, { index, recipient, types, providerMessageId }: Report): void {
    for (const type of types) {
      this.reported.add(index, type, provider === 'sns' ? providerMessageId : undefined);
      if (type === 'bounced' || type === 'complained')
        this.causes.push({ accountId: this.accounts[provider === 'relay' ? 'smtp' : 'aws'].id, address: recipient });
    }
    if (provider === 'sns' && types.includes('delivered')) this.onReceipt(recipient);
  }

  private exchangesOf(provider: Provider, reports: readonly Report[]): Exchange[] {
    const { smtp, aws } = this.accounts;
    if (provider === 'ses') {
      const path = `/api/provider-events/ses/${aws.id}`;
      const events = reports.flatMap((report) =>
        report.types.map((type) => sesEvent(type, { ...report, account: aws.id })),
      );
      return events.map((event) => ({ method: 'POST', path, ...this.providers.aws.post(event) }));
    }
    const isRelay = provider === 'relay';
    const path = `/api/provider-events/${isRelay ? 'smtp' : 'sms'}/${isRelay ? smtp.id : aws.id}`;
    const events = reports.flatMap((report) =>
      report.types.map((type) => (isRelay ? relayEvent(type, report) : receipt(type, report))),
    );
    const { headers, body } = SIGN.generic(events);
    return [{ method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body }];
  }
}

export const relayEvent = (
  type: ReportedType,
  { messageId, recipient, at }: Pick<Report, 'messageId' | 'recipient' | 'at'>,
): object => ({
  id: `${type}-${messageId}`,
  type,
  messageLogId: messageId,
  occurredAt: at.toISOString(),
  recipient,
  ...(type === 'bounced' ? { data: { bounceType: 'hard' } } : {}),
});

/** https://docs.aws.amazon.com/sns/latest/dg/sms_stats_cloudwatch.html */
const receipt = (type: ReportedType, { providerMessageId, recipient, at }: Report): object => ({
  notification: { messageId: providerMessageId, timestamp: at.toISOString().replace('T', ' ').slice(0, 23) },
  delivery: {
    destination: recipient,
    providerResponse: type === 'bounced' ? 'Invalid phone number' : 'Message has been accepted by phone carrier',
  },
  status: type === 'bounced' ? 'FAILURE' : 'SUCCESS',
});
