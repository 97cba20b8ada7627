import { CheckDueDomains } from '../../src/modules/domains/application/check-due-domains.service.js';
import { CheckDueSenders } from '../../src/modules/senders/application/check-due-senders.service.js';
import { ProviderDirectory } from '../../src/modules/provider-settings/index.js';
import type { DomainResponse } from '../../src/modules/domains/http/domain.response.js';
import type { EmailConnection } from '../../src/providers/index.js';
import type { TestAccount } from './account.js';
import type { DnsType } from './dns-message.js';
import { DnsServer } from './dns-server.js';
import { FakeAws } from './fake-aws/fake-aws.js';
import { TestService } from './service.js';
import { waitFor } from './wait-for.js';

/** SES with credentials of the account. */
export const SES = { region: 'eu-west-1', accessKeyId: 'AKIATEST', secretAccessKey: 'secret' };

/** SES with the credentials of the process. */
export const PROCESS_SES = { region: 'eu-west-1', accessKeyId: null, secretAccessKey: null };
export const PROCESS_KEY_ID = 'AKIAPROCESS';

/** A service with its own fake DNS and SES. */
export class DomainFixture {
  private constructor(
    readonly service: TestService,
    readonly dns: DnsServer,
    readonly aws: FakeAws,
  ) {}

  static async start(variables: Record<string, string> = {}): Promise<DomainFixture> {
    const [dns, aws] = await Promise.all([DnsServer.start(), FakeAws.start()]);
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SESV2: aws.url,
      AWS_ACCESS_KEY_ID: PROCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
    // Schedules are off: tests call the services themselves.
    const service = await TestService.start({ ROLE: 'api', DNS_SERVERS: dns.address, ...variables });
    return new DomainFixture(service, dns, aws);
  }

  reset(): void {
    this.dns.reset();
    this.aws.reset();
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await Promise.all([this.dns.stop(), this.aws.stop()]);
    delete process.env.AWS_ENDPOINT_URL_SESV2;
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
  }

  async createSesAccount(ses: { region: string; accessKeyId: string | null } = SES): Promise<TestAccount> {
    const account = await this.service.createAccount();
    await this.useSes(account, ses);
    return account;
  }

  async useSes(account: TestAccount, ses: { region: string; accessKeyId: string | null } = SES): Promise<void> {
    await account.asAdmin('patch', '/api/settings').send({ emailProvider: 'ses', ses }).expect(200);
    await this.waitForProvider(
      account,
      (provider) =>
        provider?.kind === 'ses' &&
        provider.access.region === ses.region &&
        (provider.access.credentials?.accessKeyId ?? null) === ses.accessKeyId,
    );
  }

  async useSmtp(account: TestAccount, smtp: { host: string; port?: number; vendor?: string }): Promise<void> {
    await account
      .asAdmin('patch', '/api/settings')
      .send({ emailProvider: 'smtp', smtp: { port: 587, ...smtp } })
      .expect(200);
    await this.waitForProvider(
      account,
      (provider) => provider?.kind === 'smtp' && provider.relay.host === smtp.host.toLowerCase(),
    );
  }

  checkDueDomains(): Promise<number> {
    return this.service.app.get(CheckDueDomains, { strict: false }).run();
  }

  checkDueSenders(): Promise<number> {
    return this.service.app.get(CheckDueSenders, { strict: false }).run();
  }

  /** Publishes the listed records in DNS. */
  publish({ records }: Pick<DomainResponse, 'records'>, types: readonly DnsType[] = ['TXT', 'MX', 'CNAME']): void {
    for (const { type, name, value, priority } of records) {
      if (!types.includes(type)) continue;
      if (type === 'MX') this.dns.set(name, 'MX', [{ priority: priority!, exchange: value }]);
      else this.dns.set(name, type, [value]);
    }
  }

  /** Waits until cached settings have expired. */
  private async waitForProvider(account: TestAccount, isWanted: (found: EmailConnection | null) => boolean) {
    const providers = this.service.app.get(ProviderDirectory, { strict: false });
    await waitFor('the settings to show', async () => isWanted(await providers.find(account.id)));
  }
}
