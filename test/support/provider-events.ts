import { readdirSync, readFileSync } from 'node:fs';

import type { AccountEvent } from '../../src/modules/provider-events/application/account-event.js';
import { MatchEvents } from '../../src/modules/provider-events/application/match-events.service.js';
import { writeBody } from '../../src/modules/webhooks/domain/webhook-event.js';
import type { DomainEvent } from '../../src/shared/events.js';
import type { TestAccount } from './account.js';
import { FakeAws } from './fake-aws/fake-aws.js';
import { type PostOptions, TOPIC_ARN } from './fake-aws/sns-post.js';
import { insertMessages } from './message-rows.js';
import { TestService } from './service.js';
import { requireDescribed } from './webhook-schemas.js';

const PAYLOADS = new URL('../payloads/', import.meta.url);

export const samplesOf = (provider: string): string[] => readdirSync(new URL(`${provider}/`, PAYLOADS));

/** Parses a sample of a provider's documentation. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller vouches for it, as for a row
export const sample = <T = object>(path: string): T => JSON.parse(readFileSync(new URL(path, PAYLOADS), 'utf8')) as T;

export interface MessageState {
  status: string;
  opens: number;
  clicks: number;
  events: { type: string; recipient: string | null; data: Record<string, unknown> }[];
}

/** The service with a fake AWS whose signatures it trusts, and the effects of events. */
export class ProviderEvents {
  private constructor(
    readonly service: TestService,
    readonly aws: FakeAws,
  ) {}

  static async start(): Promise<ProviderEvents> {
    const aws = await FakeAws.start();
    return new ProviderEvents(await TestService.start({ ROLE: 'api', SNS_SIGNING_CERT_HOSTS: '127.0.0.1' }), aws);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.aws.stop();
  }

  /** Opens an account that receives SES events from the fake's topic. */
  async openAccount(ses: object = { region: 'us-east-1', topicArn: TOPIC_ARN }): Promise<TestAccount> {
    const account = await this.service.createAccount();
    await account.asAdmin('patch', '/api/settings').send({ ses }).expect(200);
    return account;
  }

  async addMessage(
    account: TestAccount,
    { recipient = 'ada@example.org', providerMessageId = null as string | null } = {},
  ): Promise<string> {
    const [id = ''] = await insertMessages(this.service, account.id, [{ recipient }]);
    await this.provide(id, providerMessageId);
    return id;
  }

  /** Matches what is due, and returns the events that were matched. */
  async match(): Promise<AccountEvent[]> {
    const all: AccountEvent[] = [];
    const matchEvents = this.service.app.get(MatchEvents, { strict: false });
    await matchEvents.match(new AbortController().signal, (matched) => all.push(...matched));
    return all;
  }

  /** Records the provider's id of the message. */
  async provide(id: string, providerMessageId: string | null): Promise<void> {
    await this.service.query('UPDATE message_logs SET provider_message_id = $2 WHERE id = $1', [id, providerMessageId]);
  }

  postSes(account: Pick<TestAccount, 'id'>, message: string | object, options: PostOptions = {}) {
    return this.aws.notify(`${this.service.url}/api/provider-events/ses/${account.id}`, message, options);
  }

  postSmtp(account: Pick<TestAccount, 'id'>, body: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.service.url}/api/provider-events/smtp/${account.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  }

  async state(account: TestAccount, id: string): Promise<MessageState> {
    const { body } = await account.asMember('get', `/api/messages/${id}`).expect(200);
    const { status, opens, clicks, events } = body as MessageState;
    return { status, opens, clicks, events };
  }

  async suppressions(account: TestAccount): Promise<object[]> {
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    return (body as { items: { address: string; reason: string; source: string; messageLogId: string | null }[] }).items
      .map(({ address, reason, source, messageLogId }) => ({ address, reason, source, messageLogId }))
      .sort((one, other) => one.address.localeCompare(other.address));
  }

  /** Throws if an event would cause a webhook body that does not match its schema. */
  async outbox(account: TestAccount): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const events = await this.service.query<DomainEvent & { data: Record<string, unknown> }>(
      'SELECT type, data, account_id AS "accountId", occurred_at AS "occurredAt" FROM outbox_events WHERE account_id = $1 ORDER BY id',
      [account.id],
    );
    for (const event of events) requireDescribed(writeBody(event));
    return events.map(({ type, data }) => ({ type, data }));
  }

  unmatched(account: TestAccount): Promise<{ type: string; data: Record<string, unknown> }[]> {
    return this.service.query('SELECT type, data FROM unmatched_events WHERE account_id = $1', [account.id]);
  }

  async counted(provider: string, outcome: string): Promise<number> {
    const { text } = await this.service.request('get', '/metrics').expect(200);
    const line = new RegExp(`^provider_events_total\\{provider="${provider}",outcome="${outcome}"\\} (\\d+)$`, 'm');
    return Number(line.exec(text)?.[1] ?? 0);
  }
}
