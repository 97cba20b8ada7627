import { setTimeout as pause } from 'node:timers/promises';

import type { ChaosCampaign } from './campaign-setup.js';
import { type Clients, exchangeOf, type Reply } from './clients.js';
import type { ChaosDatabase } from './database.js';
import type { AddressOfAccount, CampaignRecipient, CampaignResult, CampaignStop } from './evidence/evidence.js';
import type { SendRecords } from './evidence/sends.js';
import { isSuppressedByReports } from './provider-reports.js';
import { drawOf } from './random.js';

type Command = 'start' | 'pause' | 'resume' | 'cancel';

/** Every command is given twice at the same time, so that both API processes get it. */
const CALLS = 2;
const POLL_MS = 200;
const RETRY_MS = 1_000;
const RUNS_FOR_MS = [2_000, 6_000] as const;
const PAUSED_FOR_MS = [500, 2_500] as const;
/** Recipients of the steady campaign who unsubscribe or are deleted: one after each of these times. */
const CHURN_EVERY_MS = 1_500;
const DELETED_EVERY = 3;
const PAGE = 100;

/** Users who start, pause, resume and cancel campaigns, change their contacts meanwhile, and then read the results. */
export class Campaigns {
  readonly unsubscribed: AddressOfAccount[] = [];
  /** Contact id → address. */
  readonly deletedContacts = new Map<string, string>();
  private readonly stops = new Map<string, CampaignStop[]>();
  private running = 0;
  private isOver = false;

  constructor(
    private readonly clients: Clients,
    private readonly campaigns: readonly ChaosCampaign[],
    private readonly sends: SendRecords,
    private readonly database: ChaosDatabase,
    private readonly seed: number,
  ) {}

  /** Campaigns whose users are not done yet. */
  get unfinished(): number {
    return this.running;
  }

  async run(): Promise<void> {
    await Promise.all(
      this.campaigns.map(async (campaign) => {
        this.running += 1;
        await this.command(campaign, 'start');
        await this.use(campaign);
        this.running -= 1;
      }),
    );
  }

  /** Lets the campaigns end. */
  end(): void {
    this.isOver = true;
  }

  /** Reads what the API shows of each campaign. */
  async results(): Promise<CampaignResult[]> {
    const results: CampaignResult[] = [];
    for (const { id, kind, account, recipients: indexes } of this.campaigns) {
      const path = `/api/campaigns/${id}`;
      const { status, progress } = await this.read<CampaignResult>(path, account.session);
      const recipients: CampaignRecipient[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query: string = `limit=${PAGE}${cursor && `&cursor=${cursor}`}`;
        const page = await this.read<Page>(`${path}/recipients?${query}`, account.session);
        recipients.push(...page.items);
        cursor = page.nextCursor;
      }
      const audience = indexes.map((index) => this.sends.recipient(index));
      results.push({ id, name: kind, status, progress, recipients, audience, stops: this.stops.get(id) ?? [] });
    }
    return results;
  }

  private async use(campaign: ChaosCampaign): Promise<void> {
    switch (campaign.kind) {
      case 'steady':
        return this.churn(campaign);
      case 'interrupted':
        return this.interrupt(campaign);
      case 'canceled':
        await this.untilHalf(campaign);
        return this.cancel(campaign);
      case 'capped':
        await this.untilOver();
        return this.cancel(campaign);
    }
  }

  /** Unsubscribes recipients and deletes contacts, from the last on, so that most of them are still waiting. */
  private async churn({ account, recipients }: ChaosCampaign): Promise<void> {
    const candidates = recipients.filter((index) => !isSuppressedByReports(this.seed, index));
    for (let count = 0; !this.isOver; count++) {
      await pause(CHURN_EVERY_MS);
      const position = count % 2 === 0 ? candidates.length - 1 : count;
      const [index] = candidates.splice(position, 1);
      if (index === undefined) return;
      const address = this.sends.recipient(index);
      if (count % DELETED_EVERY === 0) await this.deleteContact(account, address);
      else {
        const exchange = exchangeOf('POST', '/api/suppressions', account.session, { email: address });
        if (await this.clients.retryUntilAccepted('suppress', exchange))
          this.unsubscribed.push({ accountId: account.id, address });
      }
    }
  }

  private async deleteContact({ id, session }: ChaosCampaign['account'], address: string): Promise<void> {
    const [contact] = await this.query<{ id: string }>(FIND_CONTACT, [id, address]);
    if (!contact) return;
    const exchange = exchangeOf('DELETE', `/api/contacts/${contact.id}`, session);
    const isDone = ({ status }: Reply) => status < 300 || status === NOT_FOUND; // after a lost response
    if (await this.clients.retryUntilAccepted('delete a contact', exchange, isDone))
      this.deletedContacts.set(contact.id, address);
  }

  private async interrupt(campaign: ChaosCampaign): Promise<void> {
    for (let count = 0; !this.isOver; count += 2) {
      await this.pauseFor(RUNS_FOR_MS, count);
      await this.command(campaign, 'pause');
      await this.recordStop(campaign, this.pauseFor(PAUSED_FOR_MS, count + 1));
      await this.command(campaign, 'resume');
    }
    // A process that was halted may carry out an earlier pause only now.
    while ((await this.count(campaign)).status !== 'completed') {
      await this.command(campaign, 'resume');
      await pause(RETRY_MS);
    }
  }

  private async untilHalf({ id, recipients }: ChaosCampaign): Promise<void> {
    while (!this.isOver && (await this.count({ id })).messages < recipients.length / 2) await pause(POLL_MS);
  }

  private async cancel(campaign: ChaosCampaign): Promise<void> {
    await this.command(campaign, 'cancel');
    await this.recordStop(campaign, this.untilOver());
  }

  private async untilOver(): Promise<void> {
    while (!this.isOver) await pause(POLL_MS);
  }

  /**
   * For a campaign that was told to stop. It may have completed before. A process that was halted may carry out an
   * earlier command until `over`: then the campaign was not stopped all the time.
   */
  private async recordStop(campaign: ChaosCampaign, over: Promise<void>): Promise<void> {
    const { status, revision, messages: before } = await this.count(campaign);
    const from = Date.now();
    await over;
    const to = status === 'canceled' ? Infinity : Date.now();
    const { revision: lastRevision, messages: after } = await this.count(campaign);
    if (!STOPPED.includes(status) || revision !== lastRevision) return;
    this.stops.set(campaign.id, [...(this.stops.get(campaign.id) ?? []), { before, after, from, to }]);
  }

  /** A campaign may complete before the command arrives. */
  private async command({ id, account }: ChaosCampaign, command: Command): Promise<void> {
    const exchange = exchangeOf('POST', `/api/campaigns/${id}/${command}`, account.session);
    const isDone = ({ status, body }: Reply) => status === 200 || (status === 409 && body.includes('is completed'));
    const calls = Array.from({ length: CALLS }, () =>
      this.clients.retryUntilAccepted(`${command} a campaign`, exchange, isDone),
    );
    await Promise.all(calls);
  }

  private pauseFor([min, max]: readonly [number, number], count: number): Promise<void> {
    return pause(min + drawOf(this.seed + 10, count) * (max - min));
  }

  private async count({ id }: Pick<ChaosCampaign, 'id'>): Promise<Counted> {
    const [counted] = await this.query<Counted>(COUNT, [id]);
    if (!counted) throw new Error(`There is no campaign ${id}`);
    return counted;
  }

  /** Retries until the database responds. */
  private async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    for (;;) {
      const rows = await this.database.query<Row>(text, values).catch(() => null);
      if (rows) return rows;
      await pause(RETRY_MS);
    }
  }

  private async read<T>(path: string, session: Record<string, string>): Promise<T> {
    const reply = await this.clients.retryUntilAccepted('read a campaign', exchangeOf('GET', path, session));
    if (!reply) throw new Error(`${path} cannot be read`);
    return JSON.parse(reply.body) as T;
  }
}

interface Counted {
  status: string;
  messages: number;
  /** Counts the changes of the campaign by commands. */
  revision: number;
}

interface Page {
  items: CampaignRecipient[];
  nextCursor: string | null;
}

const NOT_FOUND = 404;
const STOPPED = ['paused', 'canceled'];

const FIND_CONTACT = 'SELECT id FROM contacts WHERE account_id = $1 AND normalised_email = $2';

const COUNT = `
  SELECT c.status, c.revision, (SELECT count(*)::integer FROM message_logs m WHERE m.campaign_id = c.id) AS messages
  FROM campaigns c WHERE c.id = $1`;
