import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { type AudienceContact, ContactAudience, ListDirectory } from '../../contacts/index.js';
import { ERASED_RECIPIENT } from '../../messages/index.js';
import { type NewRecipient, reasonToSkip, type Unwilling } from '../domain/campaign-recipient.js';
import type { CampaignRun } from '../domain/campaign-run.js';
import { FindUnwilling } from './find-unwilling.service.js';
import { CampaignFeed } from './ports/campaign-feed.js';
import { CampaignRuns } from './ports/campaign-runs.js';

/** Contacts per transaction. */
const STEP = 5_000;

/**
 * Writes the audience of a campaign. All its contacts are selected at one moment, so that no change of lists, tags or
 * contacts afterwards can lose anybody; then they become recipients in steps.
 */
@Injectable()
export class WriteAudience {
  constructor(
    private readonly runs: CampaignRuns,
    private readonly feed: CampaignFeed,
    private readonly contacts: ContactAudience,
    private readonly lists: ListDirectory,
    private readonly findUnwilling: FindUnwilling,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one step. Returns false if the campaign is paused now, because one of its lists was deleted before the
   * selection. Throws ClaimLost.
   */
  async step(run: CampaignRun): Promise<boolean> {
    const contactIds = await this.feed.nextContacts(run);
    if (contactIds === null) return this.select(run);
    const contacts = await this.contacts.findContacts(run.accountId, contactIds);
    const unwilling = await this.findUnwilling.find(run, contacts.values());
    const recipients = contactIds.map((id) => toRecipient(id, contacts.get(id), unwilling));
    run.hasAudience = !(await this.feed.addRecipients(run, recipients, this.clock.now()));
    return true;
  }

  private async select(run: CampaignRun): Promise<boolean> {
    const { accountId, audience } = run;
    await this.runs.renewForSelection(run);
    const portions = await this.contacts.listIds(accountId, audience, STEP);
    const deleted = await this.lists.findUnknown(accountId, [...audience.listIds, ...audience.excludeListIds]);
    if (deleted.size > 0) {
      await this.runs.pause(run, 'list_deleted');
      return false;
    }
    await this.feed.saveAudience(run, portions);
    run.hasAudience = portions.length === 0;
    return true;
  }
}

function toRecipient(contactId: string, contact: AudienceContact | undefined, unwilling: Unwilling): NewRecipient {
  if (!contact) return { contactId, email: ERASED_RECIPIENT, normalisedEmail: null, reason: 'deleted' };
  const { email, normalisedEmail } = contact;
  return { contactId, email, normalisedEmail, reason: reasonToSkip(contact, unwilling) };
}
