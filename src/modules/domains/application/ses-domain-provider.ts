import { Logger } from '@nestjs/common';

import type { AwsAccess } from '../../../shared/account-provider.js';
import { type Finding, unknown } from '../domain/check.js';
import { SES_SPF, sesMailFrom, sesRecords } from '../domain/dns-record.js';
import type { Domain, Inspection, SetUp } from '../domain/domain.js';
import { type SetUpFor, setUpForSes } from '../domain/set-up-for.js';
import { checkSpf } from './check-spf.js';
import type { DomainProvider } from './domain-provider.js';
import type { DnsResolver } from './ports/dns-resolver.js';
import type { EmailIdentities, EmailIdentity } from './ports/email-identities.js';
import { ProviderFailure } from './provider-failure.js';
import { findFault } from './published-records.js';
import { judge } from './ses-finding.js';

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

  async setUp({ name }: Domain): Promise<SetUp> {
    return { dkimKey: null, records: this.recordsOf(name, await this.ensureIdentity(name)) };
  }

  async inspect(domain: Domain): Promise<Inspection> {
    const { name } = domain;
    const spf = checkSpf(this.dns, sesMailFrom(name), SES_SPF);
    try {
      // One that is gone was deleted in SES.
      const standing = await this.identities.find(this.access, name);
      const identity = standing ?? (await this.ensureIdentity(name));
      const records = this.recordsOf(name, identity);
      const [dkim, mailFrom] = await Promise.all([
        findFault(this.dns, records, 'dkim').then((fault) => judge(identity.dkim.status, identity.error, fault)),
        findFault(this.dns, records, 'mail_from').then((fault) => judge(mailFromStatus(name, identity), null, fault)),
      ]);
      await this.restart(name, identity);
      return { records, findings: { dkim, mailFrom, spf: await spf }, beginsAnew: !standing };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const noVerdict: Finding = unknown(error.detail);
      const findings = { dkim: noVerdict, mailFrom: noVerdict, spf: await spf };
      return { records: domain.records, findings, beginsAnew: false };
    }
  }

  release({ name }: Domain): Promise<void> {
    return this.identities.delete(this.access, name);
  }

  /** As often as it is needed: an identity that stood already, whole or half set up, is completed. */
  private async ensureIdentity(name: string): Promise<EmailIdentity> {
    await this.identities.create(this.access, name);
    let identity = await this.find(name);
    if (identity.dkim.tokens.length === 0) {
      await this.identities.restartDkim(this.access, name);
      identity = await this.find(name);
    }
    if (mailFromStatus(name, identity) === 'SUCCESS') return identity;
    await this.identities.setMailFrom(this.access, name, sesMailFrom(name));
    return { ...identity, mailFrom: { domain: sesMailFrom(name), status: 'PENDING' } };
  }

  /** SES gives up after 72 hours; what it has given up begins again. What cannot begin now may at the next inspection. */
  private async restart(name: string, identity: EmailIdentity): Promise<void> {
    try {
      if (identity.dkim.status === 'FAILED') await this.identities.restartDkim(this.access, name);
      if (mailFromStatus(name, identity) === 'FAILED') {
        await this.identities.setMailFrom(this.access, name, sesMailFrom(name));
      }
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

  private recordsOf(name: string, { dkim }: EmailIdentity) {
    return sesRecords(name, this.access.region, dkim);
  }
}

/** Another MAIL FROM domain than ours is as good as a failed one: it has to be set. */
const mailFromStatus = (name: string, { mailFrom }: EmailIdentity) =>
  mailFrom.domain === sesMailFrom(name) ? mailFrom.status : 'FAILED';
