import { Injectable } from '@nestjs/common';

import type { AccountProvider, AwsAccess } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { deliverableEmail } from '../../../shared/email-address.js';
import type { SmtpRelay } from '../../../shared/smtp-relay.js';
import { EmailIdentities, ReleaseIdentity, standingIdentity } from '../../domains/index.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { carrierOf, type LinkCarrier } from '../../../shared/verification-provider.js';
import type { Sender } from '../domain/sender.js';
import { type SetUpFor, setUpForProvider, setUpForSes } from '../../../shared/provider-key.js';
import { SenderRepository } from './ports/sender.repository.js';
import { VerificationMailer } from './ports/verification-mailer.js';

/** The provider that carries the link. Chosen once per mail, so that the recorded one is the one used. */
export interface LinkRoute {
  carrier: LinkCarrier;
  setUpFor: SetUpFor;
  through: { access: AwsAccess } | { relay: SmtpRelay | null };
}

/** Asks whoever reads the mail of an address: with a link of ours, or by SES with its own where the account sends through it. */
@Injectable()
export class AskHolder {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly mailer: VerificationMailer,
    private readonly identities: EmailIdentities,
    private readonly senders: SenderRepository,
    private readonly releaseIdentity: ReleaseIdentity,
  ) {}

  /**
   * The provider that carries a link for this account now. If the installation has a relay, only that one carries our
   * links: whoever runs the account's relay could read them there.
   */
  async route(accountId: string): Promise<LinkRoute> {
    const provider = await this.providers.find(accountId);
    const setUpFor = setUpForProvider(provider);
    if (provider?.kind === 'ses') return { carrier: carrierOf(provider), setUpFor, through: provider };
    const { installationRelay } = this.providers;
    if (installationRelay) return { carrier: 'installation', setUpFor, through: { relay: installationRelay } };
    return { carrier: carrierOf(provider), setUpFor, through: { relay: relayOf(provider) } };
  }

  /** Throws a DomainError of the kind `provider` where the mail was not taken; it may then have gone out all the same. */
  async ask({ through }: LinkRoute, sender: Sender, token: string): Promise<'asked' | 'agreed'> {
    if ('access' in through) return this.askThroughSes(sender, through.access);
    await this.mailer.mail(through.relay, sender, token);
    return 'asked';
  }

  /**
   * The SES in which the link that it mailed was used; null where it was not, or the account has left that SES. Throws
   * a ProviderFailure.
   */
  async findAgreement(sender: Sender): Promise<SetUpFor | null> {
    const provider = await this.providers.find(sender.accountId);
    const place = setUpForProvider(provider);
    if (provider?.kind !== 'ses' || sender.setUpFor !== place) return null;
    return (await this.identities.find(provider.access, identityOf(sender)))?.isVerified ? place : null;
  }

  /** Takes the address of a sender that is gone out of SES. */
  forget(sender: Sender): Promise<void> {
    return this.releaseIdentity.release(sender, identityOf(sender));
  }

  /** SES mails its link to a new identity only, so one of ours that stands unverified is made anew. */
  private async askThroughSes(sender: Sender, access: AwsAccess): Promise<'asked' | 'agreed'> {
    const name = identityOf(sender);
    if ((await this.identities.create(access, name)) === 'created') return this.noteMade(sender, access);
    const isOurs = sender.madeIn.includes(setUpForSes(access));
    if (!isOurs) await this.requireOpen(sender, access);
    if ((await this.identities.find(access, name))?.isVerified) return 'agreed';
    if (!isOurs) throw standingIdentity(name);
    await this.identities.delete(access, name);
    await this.identities.create(access, name);
    return 'asked';
  }

  private async noteMade(sender: Sender, access: AwsAccess): Promise<'asked'> {
    const noted = await this.senders.noteMade(sender.accountId, sender.id, setUpForSes(access));
    if (noted) return 'asked';
    await this.identities.delete(access, identityOf(sender));
    throw DomainError.notFound('Sender');
  }

  /** Accounts may share an AWS account: what its holder allowed one of them is not allowed to the others. */
  private async requireOpen(sender: Sender, access: AwsAccess): Promise<void> {
    if (await this.senders.isAskedBySesForOthers(sender.accountId, sender.normalisedEmail)) {
      throw DomainError.conflict(`${sender.email} belongs to another account of this installation`);
    }
    if (access.credentials === null) throw standingIdentity(identityOf(sender));
  }
}

const identityOf = ({ email }: Sender) => deliverableEmail(email);

const relayOf = (provider: AccountProvider | null): SmtpRelay | null =>
  provider?.kind === 'smtp' ? provider.relay : null;
