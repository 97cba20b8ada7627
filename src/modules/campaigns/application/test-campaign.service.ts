import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { ContactRepository } from '../../contacts/index.js';
import { SendBatch, withPlaceholders } from '../../sending/index.js';
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
    private readonly sendBatch: SendBatch,
  ) {}

  /** To all addresses or none. Throws like a send. Placeholders are filled with the contacts of the addresses. */
  async send(accountId: string, id: string, addresses: readonly string[]): Promise<TestedAddress[]> {
    const campaign = await this.campaigns.get(accountId, id);
    const { fromEmail, fromName, replyTo, variables, topicId } = campaign;
    const parts = await this.content.resolve(campaign);
    const contacts = await this.contacts.findByEmails(accountId, addresses.map(normaliseEmail));
    const known = new Map(contacts.map((contact) => [contact.normalisedEmail, contact]));
    const requests = addresses.map((to) => {
      const contact = known.get(normaliseEmail(to));
      const placeholders = { ...(contact ? placeholdersOf(contact) : {}), email: to.trim() };
      return {
        ...{ accountId, apiKeyId: null, keyLimit: null, to, fromEmail, fromName, replyTo, topicId },
        ...parts,
        variables: withPlaceholders(variables, placeholders),
      };
    });
    const ids = await this.sendBatch.sendAll(accountId, requests);
    return addresses.map((to, i) => ({ to, messageLogId: ids[i] ?? '' }));
  }
}
