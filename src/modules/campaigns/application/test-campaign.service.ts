import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { ContactRepository } from '../../contacts/index.js';
import { AcceptEmail, refusalError, withPlaceholders } from '../../sending/index.js';
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
    const campaign = await this.campaigns.get(accountId, id);
    const { fromEmail, fromName, replyTo, variables, topicId } = campaign;
    const parts = await this.content.resolve(campaign);
    await this.requireNoneRefused(accountId, addresses, topicId);
    const contacts = await this.contacts.findByEmails(accountId, addresses.map(normaliseEmail));
    const known = new Map(contacts.map((contact) => [contact.normalisedEmail, contact]));
    const accepted: TestedAddress[] = [];
    for (const to of addresses) {
      const contact = known.get(normaliseEmail(to));
      const request = {
        accountId,
        apiKeyId: null,
        keyLimit: null,
        to,
        fromEmail,
        fromName,
        replyTo,
        topicId,
        ...parts,
      };
      const placeholders = { ...(contact ? placeholdersOf(contact) : {}), email: to.trim() };
      const { messageId } = await this.acceptEmail.accept({
        ...request,
        variables: withPlaceholders(variables, placeholders),
      });
      accepted.push({ to, messageLogId: messageId });
    }
    return accepted;
  }

  /** Checked before the first send: otherwise some addresses might get the test before another one is refused. */
  private async requireNoneRefused(
    accountId: string,
    addresses: readonly string[],
    topicId: string | null,
  ): Promise<void> {
    for (const address of addresses) {
      const message = { accountId, channel: 'email', recipient: address.trim(), topicId } as const;
      const refusal = await this.suppressions.findRefusalToAccept(message);
      if (refusal !== null) throw refusalError(refusal, message);
    }
  }
}
