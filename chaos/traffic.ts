import { Campaigns } from './campaigns.js';
import { createCampaigns } from './campaign-setup.js';
import type { Clients } from './clients.js';
import { Erasures } from './erasures.js';
import type { Environment } from './environment.js';
import { collect } from './evidence/collect.js';
import { CopyRecords } from './evidence/copies.js';
import type { Disturbances, Evidence } from './evidence/evidence.js';
import { Load } from './load.js';
import { OptOuts } from './opt-outs.js';
import { ProviderReports } from './provider-reports.js';
import { type IdleResult, waitUntilIdle } from './wait-until-idle.js';

/** Everything that uses the service during a run: clients, users of campaigns, providers that report, recipients. */
export class Traffic {
  readonly copies: CopyRecords;
  readonly load: Load;
  readonly reports: ProviderReports;
  private readonly optOuts: OptOuts;
  private readonly running: Promise<void>[] = [];
  private campaigns: Campaigns | undefined;
  private erasures: Erasures | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly seed: number,
  ) {
    const { clients, accounts, relay, aws, startedAt } = environment;
    this.copies = new CopyRecords(startedAt);
    this.load = new Load(clients, accounts, seed);
    this.reports = new ProviderReports(clients, accounts, { relay, aws }, this.copies, seed);
    this.optOuts = new OptOuts(clients, accounts.aws, aws, this.load, seed);
    this.reports.onReceipt = (phoneNumber) => {
      this.optOuts.receive(phoneNumber);
    };
  }

  get hasCampaigns(): boolean {
    return this.campaigns !== undefined;
  }

  /** Creates drafts at one API process. Their users use all processes that `clients` knows. */
  async createCampaigns(url: string, seconds: number, clients: Clients): Promise<void> {
    const { accounts, database } = this.environment;
    const drafts = await createCampaigns(accounts, this.load.sends, url, seconds);
    this.campaigns = new Campaigns(clients, drafts, this.load.sends, database, this.seed);
  }

  /** Creates people who are erased during the run. */
  async createErasures(url: string, seconds: number): Promise<void> {
    const { accounts, clients, relay } = this.environment;
    this.erasures = await Erasures.create(clients, accounts.smtp, relay, { url, seconds });
  }

  /** Starts everything but the load. */
  start(): void {
    this.running.push(this.reports.run(), this.optOuts.run());
    if (this.hasCampaigns) this.startCampaigns();
    if (this.erasures) this.running.push(this.erasures.run());
  }

  startCampaigns(): void {
    this.running.push(this.createdCampaigns.run());
  }

  /** Ends the campaigns, and waits until all work is done. */
  async untilIdle(): Promise<IdleResult> {
    const { environment, load, reports, optOuts, createdCampaigns: campaigns } = this;
    campaigns.end();
    this.erasures?.end();
    return waitUntilIdle(environment, () => ({
      'calls of clients': environment.clients.unfinished,
      'sends being retried until accepted': load.unfinished,
      'reports of providers': reports.unfinished,
      'users of campaigns': campaigns.unfinished,
      'opt-outs not read yet': optOuts.unfinished,
      'people to be erased': this.erasures?.unfinished ?? 0,
    }));
  }

  /** Returns all observations. */
  async collect(disturbances: Disturbances, { unfinished }: IdleResult): Promise<Evidence> {
    const { environment, load, reports, optOuts, copies, createdCampaigns: campaigns, erasures } = this;
    reports.stop();
    optOuts.stop();
    await Promise.all(this.running);
    return collect(environment, { load, reports, optOuts, disturbances, copies, campaigns, erasures }, unfinished);
  }

  private get createdCampaigns(): Campaigns {
    if (!this.campaigns) throw new Error('No campaigns were created');
    return this.campaigns;
  }
}
