import { Injectable } from '@nestjs/common';

import {
  type IdentityKeeper,
  isSimulated,
  providerKeyOf,
  Providers,
  verificationProviderOf,
} from '../../../providers/index.js';
import { DomainError } from '../../../shared/domain-error.js';
import { deliverableEmail } from '../../../shared/email-address.js';
import { INSTALLATION, type ProviderKey, type VerificationProvider } from '../../../shared/provider-key.js';
import type { SmtpRelay } from '../../../shared/smtp-relay.js';
import { identityExists, ReleaseIdentity } from '../../domains/index.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import type { Sender } from '../domain/sender.js';
import { SesVerificationRequests, VerificationMailer } from './ports/sender-verification.js';

/**
 * The way in which a verification link is sent. Chosen once per mail, so that the recorded provider is the one used.
 */
export interface VerificationRoute {
  verificationProvider: VerificationProvider;
  providerKey: ProviderKey;
  through: { identities: IdentityKeeper } | { relay: SmtpRelay | null };
}

/**
 * Asks the owner of a mailbox to confirm a sender: by a link of the service, or by that of a provider that keeps
 * identities itself.
 */
@Injectable()
export class SenderVerification {
  constructor(
    private readonly directory: ProviderDirectory,
    private readonly providers: Providers,
    private readonly mailer: VerificationMailer,
    private readonly sesRequests: SesVerificationRequests,
    private readonly releaseIdentity: ReleaseIdentity,
  ) {}

  /**
   * The route for a link of this account now. If the installation has a relay, links of the service are sent only
   * through it: the operator of the account's own relay could read them there.
   */
  async chooseRoute(accountId: string): Promise<VerificationRoute> {
    const connection = await this.directory.find(accountId);
    const provider = connection && !isSimulated(connection) ? this.providers.email(connection) : null;
    const keys = { verificationProvider: verificationProviderOf(connection), providerKey: providerKeyOf(connection) };
    const identities = connection && provider?.identitiesOf?.(connection);
    if (identities) return { ...keys, through: { identities } };
    const { installationRelay } = this.directory;
    if (installationRelay)
      return { ...keys, verificationProvider: INSTALLATION, through: { relay: installationRelay } };
    return { ...keys, through: { relay: (connection && provider?.relayOf?.(connection)) ?? null } };
  }

  /**
   * Sends the link. Returns `verified` if the provider already has the address verified. Throws a DomainError of the
   * kind `provider` if the provider did not accept the mail, which may have been sent all the same.
   */
  async request({ through }: VerificationRoute, sender: Sender, token: string): Promise<'requested' | 'verified'> {
    if ('identities' in through) return this.requestFromProvider(sender, through.identities);
    await this.mailer.mail(through.relay, sender, token);
    return 'requested';
  }

  /**
   * The account at the provider in which the link that it mailed was used; null if it was not, or if the sender's
   * account no longer uses it. Throws a ProviderFailure.
   */
  async findConfirmation(sender: Sender): Promise<ProviderKey | null> {
    const { through, providerKey } = await this.chooseRoute(sender.accountId);
    if (!('identities' in through) || sender.providerKey !== providerKey) return null;
    const identity = await through.identities.find(identityOf(sender));
    return identity?.isVerified ? providerKey : null;
  }

  /** Deletes the identity of a deleted sender at its provider. Never throws. */
  release(sender: Sender): Promise<void> {
    return this.releaseIdentity.release(sender, identityOf(sender));
  }

  /** Providers mail their link only to new identities, so an unverified identity of this sender is created again. */
  private async requestFromProvider(sender: Sender, identities: IdentityKeeper): Promise<'requested' | 'verified'> {
    const name = identityOf(sender);
    if ((await identities.create(name)) === 'created') return this.recordIdentity(sender, identities);
    const isOwn = sender.identityCreatedIn.includes(identities.key);
    if (!isOwn) await this.requireUnused(sender, identities);
    if ((await identities.find(name))?.isVerified) return 'verified';
    if (!isOwn) throw identityExists(name, identities);
    await identities.delete(name);
    await identities.create(name);
    return 'requested';
  }

  private async recordIdentity(sender: Sender, identities: IdentityKeeper): Promise<'requested'> {
    if (await this.sesRequests.recordIdentity(sender.accountId, sender.id, identities.key)) return 'requested';
    await identities.delete(identityOf(sender));
    throw DomainError.notFound('Sender');
  }

  /** Accounts may share an identity at the provider: a confirmation that one obtained is not valid for the others. */
  private async requireUnused(sender: Sender, identities: IdentityKeeper): Promise<void> {
    if (await this.sesRequests.isRequestedByOthers(sender.accountId, sender.normalisedEmail)) {
      throw DomainError.conflict(`${sender.email} belongs to another account of this installation`);
    }
    if (identities.isShared) throw identityExists(identityOf(sender), identities);
  }
}

const identityOf = ({ email }: Sender) => deliverableEmail(email);
