import { Logger } from '@nestjs/common';

import type { AwsAccess } from '../../../shared/account-provider.js';
import { ProviderFailure } from '../../../shared/domain-error.js';
import { type ProviderKey, sesProviderKey } from '../../../shared/provider-key.js';
import { checkSpf } from '../application/check-spf.js';
import { findRecordFault } from '../application/dns-checks.js';
import { sesIdentityExists } from '../application/domain-errors.js';
import type { DnsResolver } from '../application/ports/dns-resolver.js';
import type { DomainProvider } from '../application/ports/domain-providers.js';
import type { EmailIdentities, EmailIdentity } from '../application/ports/email-identities.js';
import { type CheckResult, unknown } from '../domain/check.js';
import { SES_SPF, sesMailFrom, sesRecords } from '../domain/dns-record.js';
import type { Domain, DomainSetup, Inspection } from '../domain/domain.js';
import { sesCheckResult } from './ses-check-result.js';

/** SES signs messages and verifies the domain. DNS is queried only to explain what is missing. */
export class SesDomainProvider implements DomainProvider {
  readonly providerKey: ProviderKey;
  private readonly logger = new Logger(SesDomainProvider.name);

  constructor(
    private readonly access: AwsAccess,
    private readonly identities: EmailIdentities,
    private readonly dns: DnsResolver,
  ) {
    this.providerKey = sesProviderKey(access);
  }

  async setUp(domain: Domain): Promise<DomainSetup> {
    const { identity, createdIdentity } = await this.ensureIdentity(domain);
    return { dkimKey: null, records: this.recordsOf(domain.name, identity), createdIdentity };
  }

  async inspect(domain: Domain): Promise<Inspection> {
    const { name } = domain;
    try {
      // Null if the identity was deleted in SES.
      const existing = await this.identities.find(this.access, name);
      const { identity, createdIdentity } = existing
        ? { identity: existing, createdIdentity: false }
        : await this.ensureIdentity(domain);
      const records = this.recordsOf(name, identity);
      const [dkim, spf, mailFrom] = await Promise.all([
        findRecordFault(this.dns, records, 'dkim').then((fault) =>
          sesCheckResult(identity.dkim.status, identity.error, fault),
        ),
        this.checkSpf(mailFromOf(name, identity)),
        findRecordFault(this.dns, records, 'mail_from').then((fault) =>
          sesCheckResult(mailFromStatus(identity), null, fault),
        ),
      ]);
      await this.restart(name, identity);
      return { records, results: { dkim, spf, mailFrom }, isRecreated: !existing, createdIdentity };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const published = domain.records.find(({ purpose }) => purpose === 'spf')?.name ?? sesMailFrom(name);
      const results = {
        dkim: unknown(error.detail),
        mailFrom: unknown(error.detail),
        spf: await this.checkSpf(published),
      };
      return { records: domain.records, results, isRecreated: false, createdIdentity: false };
    }
  }

  undo({ name }: Domain): Promise<void> {
    return this.identities.delete(this.access, name);
  }

  /** With the credentials of the process, which accounts share, an existing identity may belong to another account. */
  private async ensureIdentity(domain: Domain): Promise<{ identity: EmailIdentity; createdIdentity: boolean }> {
    const { name, identityCreatedIn } = domain;
    const createdIdentity = (await this.identities.create(this.access, name)) === 'created';
    if (!createdIdentity && this.access.credentials === null && !identityCreatedIn.includes(this.providerKey))
      throw sesIdentityExists(name);
    try {
      return { identity: await this.complete(name), createdIdentity };
    } catch (error) {
      if (createdIdentity) await this.undoIncomplete(domain);
      throw error;
    }
  }

  private async undoIncomplete(domain: Domain): Promise<void> {
    try {
      await this.undo(domain);
    } catch (error) {
      this.logger.warn(`The domain ${domain.id} stays in SES, half set up: ${(error as Error).message}`);
    }
  }

  /** Idempotent. Keeps the MAIL FROM domain of an existing identity. */
  private async complete(name: string): Promise<EmailIdentity> {
    let identity = await this.find(name);
    if (identity.dkim.tokens.length === 0) {
      await this.identities.restartDkim(this.access, name);
      identity = await this.find(name);
    }
    if (mailFromStatus(identity) !== 'FAILED') return identity;
    return { ...identity, mailFrom: await this.setMailFrom(name, identity) };
  }

  /** SES stops verifying after 72 hours. If a restart fails, the next inspection tries again. */
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

  private checkSpf(mailFrom: string): Promise<CheckResult> {
    return checkSpf(this.dns, mailFrom, SES_SPF);
  }

  private recordsOf(name: string, identity: EmailIdentity) {
    return sesRecords(name, this.access.region, identity.dkim, mailFromOf(name, identity));
  }
}

const mailFromOf = (name: string, { mailFrom }: EmailIdentity) => mailFrom.domain ?? sesMailFrom(name);

/** A missing MAIL FROM domain counts as failed, so that it is set. */
const mailFromStatus = ({ mailFrom }: EmailIdentity) => (mailFrom.domain === null ? 'FAILED' : mailFrom.status);
