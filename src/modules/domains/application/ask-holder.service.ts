import { Injectable } from '@nestjs/common';

import type { AwsAccess, SesProvider } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { deliverableEmail } from '../../../shared/email-address.js';
import { ProviderDirectory } from '../../accounts/index.js';
import type { Sender } from '../domain/sender.js';
import { type SetUpFor, setUpForProvider, setUpForSes } from '../domain/set-up-for.js';
import { EmailIdentities } from './ports/email-identities.js';
import { SenderRepository } from './ports/sender.repository.js';
import { VerificationMailer } from './ports/verification-mailer.js';
import { ReleaseIdentity } from './release-identity.service.js';
import { standingIdentity } from './standing-identity.js';

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

  /** Who mails the link for this account now. */
  async presentSetUp(accountId: string): Promise<SetUpFor> {
    return setUpForProvider(await this.providers.find(accountId));
  }

  /** Throws a DomainError of the kind `provider` where the mail was not taken; it may then have gone out all the same. */
  async ask(sender: Sender, token: string): Promise<'asked' | 'agreed'> {
    const provider = await this.providers.find(sender.accountId);
    if (provider?.kind === 'ses') return this.askThroughSes(sender, provider);
    await this.mailer.mail(sender.accountId, sender.email, token);
    return 'asked';
  }

  /** Whether the link that SES mailed was used; false where the account has left that SES. Throws a ProviderFailure. */
  async hasAgreed(sender: Sender): Promise<boolean> {
    const provider = await this.providers.find(sender.accountId);
    if (provider?.kind !== 'ses' || sender.setUpFor !== setUpForProvider(provider)) return false;
    return (await this.identities.find(provider.access, identityOf(sender)))?.isVerified ?? false;
  }

  /** Takes the address of a sender that is gone out of SES. */
  forget(sender: Sender): Promise<void> {
    return this.releaseIdentity.release(sender, identityOf(sender));
  }

  /** SES mails its link to a new identity only, so one of ours that stands unverified is made anew. */
  private async askThroughSes(sender: Sender, { access }: SesProvider): Promise<'asked' | 'agreed'> {
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
