import { Logger } from '@nestjs/common';

import type { EmailIdentity, IdentityKeeper } from '../../../../providers/index.js';
import { ProviderFailure } from '../../../../shared/domain-error.js';
import type { ProviderKey } from '../../../../shared/provider-key.js';
import { checkSpf } from '../check-spf.js';
import { findRecordFault } from '../dns-checks.js';
import { identityExists } from '../domain-errors.js';
import type { DnsResolver } from '../ports/dns-resolver.js';
import type { DomainProvider } from './domain-provider.js';
import { type CheckResult, unknown } from '../../domain/check.js';
import { defaultMailFrom } from '../../domain/dns-record.js';
import type { Domain, DomainSetup, Inspection } from '../../domain/domain.js';
import { registeredCheckResult } from './registered-check-result.js';

/** The provider signs messages and verifies the domain. DNS is queried only to explain what is missing. */
export class RegisteredDomainProvider implements DomainProvider {
  readonly providerKey: ProviderKey;
  private readonly logger = new Logger(RegisteredDomainProvider.name);

  constructor(
    private readonly identities: IdentityKeeper,
    private readonly dns: DnsResolver,
  ) {
    this.providerKey = identities.key;
  }

  async setUp(domain: Domain): Promise<DomainSetup> {
    const { identity, createdIdentity } = await this.ensureIdentity(domain);
    return { dkimKey: null, records: this.recordsOf(domain.name, identity), createdIdentity };
  }

  async inspect(domain: Domain): Promise<Inspection> {
    const { name } = domain;
    try {
      // Null if the identity was deleted at the provider.
      const existing = await this.identities.find(name);
      const { identity, createdIdentity } = existing
        ? { identity: existing, createdIdentity: false }
        : await this.ensureIdentity(domain);
      const records = this.recordsOf(name, identity);
      const [dkim, spf, mailFrom] = await Promise.all([
        findRecordFault(this.dns, records, 'dkim').then((fault) =>
          registeredCheckResult(this.identities.label, identity.dkim.status, identity.error, fault),
        ),
        this.checkSpf(mailFromOf(name, identity)),
        findRecordFault(this.dns, records, 'mail_from').then((fault) =>
          registeredCheckResult(this.identities.label, mailFromStatus(identity), null, fault),
        ),
      ]);
      await this.restart(name, identity);
      return { records, results: { dkim, spf, mailFrom }, isRecreated: !existing, createdIdentity };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const published = domain.records.find(({ purpose }) => purpose === 'spf')?.name ?? defaultMailFrom(name);
      const results = {
        dkim: unknown(error.detail),
        mailFrom: unknown(error.detail),
        spf: await this.checkSpf(published),
      };
      return { records: domain.records, results, isRecreated: false, createdIdentity: false };
    }
  }

  undo({ name }: Domain): Promise<void> {
    return this.identities.delete(name);
  }

  /** An existing identity at a provider account that tenants share may belong to another tenant. */
  private async ensureIdentity(domain: Domain): Promise<{ identity: EmailIdentity; createdIdentity: boolean }> {
    const { name, identityCreatedIn } = domain;
    const createdIdentity = (await this.identities.create(name)) === 'created';
    if (!createdIdentity && this.identities.isShared && !identityCreatedIn.includes(this.providerKey))
      throw identityExists(name, this.identities);
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
      this.logger.warn(
        `The domain ${domain.id} stays in ${this.identities.label}, half set up: ${(error as Error).message}`,
      );
    }
  }

  /** Idempotent. Keeps the MAIL FROM domain of an existing identity. */
  private async complete(name: string): Promise<EmailIdentity> {
    let identity = await this.find(name);
    if (identity.dkim.tokens.length === 0) {
      await this.identities.restartDkim(name);
      identity = await this.find(name);
    }
    if (mailFromStatus(identity) !== 'FAILED') return identity;
    return { ...identity, mailFrom: await this.setMailFrom(name, identity) };
  }

  /** Providers stop verifying after some days. If a restart fails, the next inspection tries again. */
  private async restart(name: string, identity: EmailIdentity): Promise<void> {
    try {
      if (identity.dkim.status === 'FAILED') await this.identities.restartDkim(name);
      if (mailFromStatus(identity) === 'FAILED') await this.setMailFrom(name, identity);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      this.logger.warn(`The verification of ${name} was not restarted: ${error.detail}`);
    }
  }

  private async find(name: string): Promise<EmailIdentity> {
    const identity = await this.identities.find(name);
    if (!identity)
      throw new ProviderFailure(`${this.identities.label} does not know ${name}, which it has just been given`);
    return identity;
  }

  private async setMailFrom(name: string, identity: EmailIdentity): Promise<EmailIdentity['mailFrom']> {
    const { onMxFailure } = identity.mailFrom;
    const domain = mailFromOf(name, identity);
    await this.identities.setMailFrom(name, { domain, onMxFailure });
    return { domain, status: 'PENDING', onMxFailure };
  }

  private checkSpf(mailFrom: string): Promise<CheckResult> {
    return checkSpf(this.dns, mailFrom, this.identities.spf);
  }

  private recordsOf(name: string, identity: EmailIdentity) {
    return this.identities.recordsOf(name, identity.dkim, mailFromOf(name, identity));
  }
}

const mailFromOf = (name: string, { mailFrom }: EmailIdentity) => mailFrom.domain ?? defaultMailFrom(name);

/** A missing MAIL FROM domain counts as failed, so that it is set. */
const mailFromStatus = ({ mailFrom }: EmailIdentity) => (mailFrom.domain === null ? 'FAILED' : mailFrom.status);
