import { Injectable } from '@nestjs/common';

import type { AccountProvider, AwsAccess } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { deliverableEmail } from '../../../shared/email-address.js';
import {
  type ProviderKey,
  providerKeyOf,
  sesProviderKey,
  type VerificationProvider,
  verificationProviderOf,
} from '../../../shared/provider-key.js';
import type { SmtpRelay } from '../../../shared/smtp-relay.js';
import { EmailIdentities, ReleaseIdentity, sesIdentityExists } from '../../domains/index.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import type { Sender } from '../domain/sender.js';
import { SesVerificationRequests, VerificationMailer } from './ports/sender-verification.js';

/** How a verification link is sent. Chosen once per mail, so that the recorded provider is the one used. */
export interface VerificationRoute {
  verificationProvider: VerificationProvider;
  providerKey: ProviderKey;
  through: { access: AwsAccess } | { relay: SmtpRelay | null };
}

/**
 * Asks the owner of a mailbox to confirm a sender: by a link of the service, or by that of SES for accounts that use
 * SES.
 */
@Injectable()
export class SenderVerification {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly mailer: VerificationMailer,
    private readonly identities: EmailIdentities,
    private readonly sesRequests: SesVerificationRequests,
    private readonly releaseIdentity: ReleaseIdentity,
  ) {}

  /**
   * The route for a link of this account now. If the installation has a relay, links of the service are sent only
   * through it: the operator of the account's own relay could read them there.
   */
  async chooseRoute(accountId: string): Promise<VerificationRoute> {
    const provider = await this.providers.find(accountId);
    const keys = { verificationProvider: verificationProviderOf(provider), providerKey: providerKeyOf(provider) };
    if (provider?.kind === 'ses') return { ...keys, through: provider };
    const { installationRelay } = this.providers;
    if (!installationRelay) return { ...keys, through: { relay: relayOf(provider) } };
    return { ...keys, verificationProvider: 'installation', through: { relay: installationRelay } };
  }

  /**
   * Sends the link. Returns `verified` if SES already has the address verified. Throws a DomainError of the kind
   * `provider` if the provider did not accept the mail, which may have been sent all the same.
   */
  async request({ through }: VerificationRoute, sender: Sender, token: string): Promise<'requested' | 'verified'> {
    if ('access' in through) return this.requestFromSes(sender, through.access);
    await this.mailer.mail(through.relay, sender, token);
    return 'requested';
  }

  /**
   * The SES account in which the link that it mailed was used; null if it was not, or if the sender's account no longer
   * uses that SES account. Throws a ProviderFailure.
   */
  async findSesConfirmation(sender: Sender): Promise<ProviderKey | null> {
    const provider = await this.providers.find(sender.accountId);
    const providerKey = providerKeyOf(provider);
    if (provider?.kind !== 'ses' || sender.providerKey !== providerKey) return null;
    const identity = await this.identities.find(provider.access, identityOf(sender));
    return identity?.isVerified ? providerKey : null;
  }

  /** Deletes the identity of a deleted sender in SES. Never throws. */
  release(sender: Sender): Promise<void> {
    return this.releaseIdentity.release(sender, identityOf(sender));
  }

  /** SES mails its link only to new identities, so an unverified identity of this sender is created again. */
  private async requestFromSes(sender: Sender, access: AwsAccess): Promise<'requested' | 'verified'> {
    const name = identityOf(sender);
    if ((await this.identities.create(access, name)) === 'created') return this.recordIdentity(sender, access);
    const isOwn = sender.identityCreatedIn.includes(sesProviderKey(access));
    if (!isOwn) await this.requireUnused(sender, access);
    if ((await this.identities.find(access, name))?.isVerified) return 'verified';
    if (!isOwn) throw sesIdentityExists(name);
    await this.identities.delete(access, name);
    await this.identities.create(access, name);
    return 'requested';
  }

  private async recordIdentity(sender: Sender, access: AwsAccess): Promise<'requested'> {
    if (await this.sesRequests.recordIdentity(sender.accountId, sender.id, sesProviderKey(access))) return 'requested';
    await this.identities.delete(access, identityOf(sender));
    throw DomainError.notFound('Sender');
  }

  /** Accounts may share an AWS account: a confirmation that one of them obtained is not valid for the others. */
  private async requireUnused(sender: Sender, access: AwsAccess): Promise<void> {
    if (await this.sesRequests.isRequestedByOthers(sender.accountId, sender.normalisedEmail)) {
      throw DomainError.conflict(`${sender.email} belongs to another account of this installation`);
    }
    if (access.credentials === null) throw sesIdentityExists(identityOf(sender));
  }
}

const identityOf = ({ email }: Sender) => deliverableEmail(email);

const relayOf = (provider: AccountProvider | null): SmtpRelay | null =>
  provider?.kind === 'smtp' ? provider.relay : null;
