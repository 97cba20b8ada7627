import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { ContactRepository } from '../../contacts/index.js';
import { AcceptEmail } from '../../sending/index.js';
import { SuppressionList } from '../../suppression/index.js';
import { placeholdersOf } from '../domain/campaign-recipient.js';
import { CheckContent } from './check-content.service.js';
import { ReadCampaigns } from './read-campaigns.service.js';

export interface TestedAddress {
  to: string;
  messageLogId: string;
}

/** Sends a campaign to a few addresses, as ordinary messages. */
@Injectable()
export class TestCampaign {
  constructor(
    private readonly campaigns: ReadCampaigns,
    private readonly content: CheckContent,
    private readonly contacts: ContactRepository,
    private readonly suppressions: SuppressionList,
    private readonly acceptEmail: AcceptEmail,
  ) {}

  /** Throws like a send. Placeholders are filled with the contacts of the addresses. */
  async send(accountId: string, id: string, addresses: readonly string[]): Promise<TestedAddress[]> {
    const campaign = await this.campaigns.find(accountId, id);
    const { fromEmail, fromName, replyTo, variables } = campaign;
    const parts = await this.content.resolve(campaign);
    await this.requireNoneSuppressed(accountId, addresses);
    const contacts = await this.contacts.findByEmails(accountId, addresses.map(normaliseEmail));
    const known = new Map(contacts.map((contact) => [contact.normalisedEmail, contact]));
    const accepted: TestedAddress[] = [];
    for (const to of addresses) {
      const contact = known.get(normaliseEmail(to));
      const request = { accountId, apiKeyId: null, keyLimit: null, to, fromEmail, fromName, replyTo, ...parts };
      const placeholders = { ...(contact ? placeholdersOf(contact) : {}), email: to.trim() };
      const { messageId } = await this.acceptEmail.accept({
        ...request,
        variables: { ...variables, ...placeholders },
      });
      accepted.push({ to, messageLogId: messageId });
    }
    return accepted;
  }

  /** Otherwise some addresses might get the test before another one is refused. */
  private async requireNoneSuppressed(accountId: string, addresses: readonly string[]): Promise<void> {
    for (const address of addresses)
      if (await this.suppressions.isSuppressed(accountId, 'email', address))
        throw DomainError.invalid(`${address.trim()} is suppressed`, 'suppressed');
  }
}
