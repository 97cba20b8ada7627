import { Logger } from '@nestjs/common';

import type { AwsAccess } from '../../../shared/account-provider.js';
import { type Finding, unknown } from '../domain/check.js';
import { SES_SPF, sesMailFrom, sesRecords } from '../domain/dns-record.js';
import type { Domain, Inspection, SetUp } from '../domain/domain.js';
import { type SetUpFor, setUpForSes } from '../../../shared/provider-key.js';
import { checkSpf } from './check-spf.js';
import type { DomainProvider } from './domain-provider.js';
import type { DnsResolver } from './ports/dns-resolver.js';
import type { EmailIdentities, EmailIdentity } from './ports/email-identities.js';
import { ProviderFailure } from '../../../shared/provider-failure.js';
import { findFault } from './published-records.js';
import { judge } from './ses-finding.js';
import { standingIdentity } from './standing-identity.js';

/** SES signs, and SES verifies; DNS is looked at to say what it misses. */
export class SesDomainProvider implements DomainProvider {
  readonly setUpFor: SetUpFor;
  private readonly logger = new Logger(SesDomainProvider.name);

  constructor(
    private readonly access: AwsAccess,
    private readonly identities: EmailIdentities,
    private readonly dns: DnsResolver,
  ) {
    this.setUpFor = setUpForSes(access);
  }

  async setUp(domain: Domain): Promise<SetUp> {
    const { identity, hasMade } = await this.ensureIdentity(domain);
    return { dkimKey: null, records: this.recordsOf(domain.name, identity), hasMade };
  }

  async inspect(domain: Domain): Promise<Inspection> {
    const { name } = domain;
    try {
      // One that is gone was deleted in SES.
      const standing = await this.identities.find(this.access, name);
      const { identity, hasMade } = standing
        ? { identity: standing, hasMade: false }
        : await this.ensureIdentity(domain);
      const records = this.recordsOf(name, identity);
      const [dkim, spf, mailFrom] = await Promise.all([
        findFault(this.dns, records, 'dkim').then((fault) => judge(identity.dkim.status, identity.error, fault)),
        this.checkSpf(mailFromOf(name, identity)),
        findFault(this.dns, records, 'mail_from').then((fault) => judge(mailFromStatus(identity), null, fault)),
      ]);
      await this.restart(name, identity);
      return { records, findings: { dkim, spf, mailFrom }, beginsAnew: !standing, hasMade };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const noVerdict: Finding = unknown(error.detail);
      const published = domain.records.find(({ purpose }) => purpose === 'spf')?.name ?? sesMailFrom(name);
      const findings = { dkim: noVerdict, mailFrom: noVerdict, spf: await this.checkSpf(published) };
      return { records: domain.records, findings, beginsAnew: false, hasMade: false };
    }
  }

  undo({ name }: Domain): Promise<void> {
    return this.identities.delete(this.access, name);
  }

  /** Whose identity it is that stood already only credentials of the account's own tell. */
  private async ensureIdentity(domain: Domain): Promise<{ identity: EmailIdentity; hasMade: boolean }> {
    const { name, madeIn } = domain;
    const hasMade = (await this.identities.create(this.access, name)) === 'created';
    if (!hasMade && this.access.credentials === null && !madeIn.includes(this.setUpFor)) throw standingIdentity(name);
    try {
      return { identity: await this.complete(name), hasMade };
    } catch (error) {
      if (hasMade) await this.undoHalf(domain);
      throw error;
    }
  }

  private async undoHalf(domain: Domain): Promise<void> {
    try {
      await this.undo(domain);
    } catch (error) {
      this.logger.warn(`The domain ${domain.id} stays in SES, half set up: ${(error as Error).message}`);
    }
  }

  /** As often as it is needed. A MAIL FROM domain that the identity has already stays. */
  private async complete(name: string): Promise<EmailIdentity> {
    let identity = await this.find(name);
    if (identity.dkim.tokens.length === 0) {
      await this.identities.restartDkim(this.access, name);
      identity = await this.find(name);
    }
    if (mailFromStatus(identity) !== 'FAILED') return identity;
    return { ...identity, mailFrom: await this.setMailFrom(name, identity) };
  }

  /** SES gives up after 72 hours; what it has given up begins again. What cannot begin now may at the next inspection. */
  private async restart(name: string, identity: EmailIdentity): Promise<void> {
    try {
      if (identity.dkim.status === 'FAILED') await this.identities.restartDkim(this.access, name);
      if (mailFromStatus(identity) === 'FAILED') await this.setMailFrom(name, identity);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      this.logger.warn(`The verification of ${name} was not restarted: ${error.detail}`);
    }
  }

  private async find(name: string): Promise<EmailIdentity> {
    const identity = await this.identities.find(this.access, name);
    if (!identity) throw new ProviderFailure('ses', `SES does not know ${name}, which it has just been given`);
    return identity;
  }

  private async setMailFrom(name: string, identity: EmailIdentity): Promise<EmailIdentity['mailFrom']> {
    const { onMxFailure } = identity.mailFrom;
    const domain = mailFromOf(name, identity);
    await this.identities.setMailFrom(this.access, name, { domain, onMxFailure });
    return { domain, status: 'PENDING', onMxFailure };
  }

  private checkSpf(mailFrom: string): Promise<Finding> {
    return checkSpf(this.dns, mailFrom, SES_SPF);
  }

  private recordsOf(name: string, identity: EmailIdentity) {
    return sesRecords(name, this.access.region, identity.dkim, mailFromOf(name, identity));
  }
}

const mailFromOf = (name: string, { mailFrom }: EmailIdentity) => mailFrom.domain ?? sesMailFrom(name);

/** None is as good as a failed one: it has to be set. */
const mailFromStatus = ({ mailFrom }: EmailIdentity) => (mailFrom.domain === null ? 'FAILED' : mailFrom.status);
