import { Injectable, Logger } from '@nestjs/common';

import type { SesProvider } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { deliverableEmail } from '../../../shared/email-address.js';
import { ProviderDirectory } from '../../accounts/index.js';
import type { Sender } from '../domain/sender.js';
import { type SetUpFor, setUpForProvider } from '../domain/set-up-for.js';
import { EmailIdentities } from './ports/email-identities.js';
import { SenderRepository } from './ports/sender.repository.js';
import { VerificationMailer } from './ports/verification-mailer.js';

/** Asks whoever reads the mail of an address: with a link of ours, or by SES with its own where the account sends through it. */
@Injectable()
export class AskHolder {
  private readonly logger = new Logger(AskHolder.name);

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly mailer: VerificationMailer,
    private readonly identities: EmailIdentities,
    private readonly senders: SenderRepository,
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

  /** Takes the address out of SES. What SES keeps in spite of it is its account holder's to remove. */
  async forget(sender: Sender): Promise<void> {
    const provider = await this.providers.find(sender.accountId);
    if (provider?.kind !== 'ses' || sender.setUpFor !== setUpForProvider(provider) || (await this.isOfOthers(sender)))
      return;
    await this.identities.delete(provider.access, identityOf(sender)).catch((error: unknown) => {
      this.logger.warn(
        `The sender ${sender.id} of account ${sender.accountId} stays in SES: ${(error as Error).message}`,
      );
    });
  }

  /** SES mails its link to a new identity only, so one that stands unverified is made anew. */
  private async askThroughSes(sender: Sender, { access }: SesProvider): Promise<'asked' | 'agreed'> {
    const name = identityOf(sender);
    if ((await this.identities.create(access, name)) === 'created') return 'asked';
    // Accounts may share an AWS account: what its holder allowed one of them is not allowed to the others.
    if (await this.isOfOthers(sender))
      throw DomainError.conflict(`${sender.email} belongs to another account of this installation`);
    if ((await this.identities.find(access, name))?.isVerified) return 'agreed';
    await this.identities.delete(access, name);
    await this.identities.create(access, name);
    return 'asked';
  }

  private isOfOthers({ accountId, normalisedEmail }: Sender): Promise<boolean> {
    return this.senders.isAskedBySesForOthers(accountId, normalisedEmail);
  }
}

const identityOf = ({ email }: Sender) => deliverableEmail(email);
