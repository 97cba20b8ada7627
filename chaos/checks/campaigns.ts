import { groupBy } from '../../src/shared/collections.js';
import type { Copy } from '../evidence/copies.js';
import type { CampaignRecipient, CampaignResult, CampaignStop, Evidence, MessageRow } from '../evidence/evidence.js';
import { type CheckResult, Gaps, type MessageCheck } from './check-result.js';
import { NOTICED_AFTER_MS } from './in-flight.js';

const ENDED = ['completed', 'canceled'];

/**
 * Every recipient of a campaign has exactly one message or one reason, and of a canceled one, possibly neither. A
 * campaign stores and sends no message after the response that it is paused or canceled.
 */
export class CampaignsCheck implements MessageCheck<MessageRow> {
  private readonly gaps = new Gaps();
  /** With the address of every recipient. */
  private readonly campaigns: readonly CampaignResult[];
  private readonly deleted: ReadonlySet<string>;
  /** Campaign id → address → recipient. */
  private readonly recipients: Map<string, Map<string, CampaignRecipient>>;
  /** Address → number of messages. Each is a recipient of one campaign. */
  private readonly stored = new Map<string, number>();

  constructor(private readonly evidence: Evidence) {
    const { campaigns, deletedContacts } = evidence;
    this.deleted = new Set(deletedContacts.values());
    this.campaigns = campaigns.map((campaign) => ({
      ...campaign,
      recipients: campaign.recipients.map((recipient) => ({
        ...recipient,
        email: deletedContacts.get(recipient.contactId) ?? recipient.email,
      })),
    }));
    this.recipients = new Map(
      this.campaigns.map(({ id, recipients }) => [
        id,
        new Map(recipients.map((recipient) => [recipient.email, recipient])),
      ]),
    );
  }

  message({ id, campaignId, recipient }: MessageRow, index: number): void {
    if (campaignId === null) return;
    const found = this.recipients.get(campaignId)?.get(recipient);
    if (!found) {
      this.gaps.add(`${id} is of ${campaignId}, which has no recipient ${recipient}`);
      return;
    }
    this.stored.set(recipient, (this.stored.get(recipient) ?? 0) + 1);
    if (found.messageLogId !== id) this.gaps.add(`${id} is to ${recipient}, who has ${found.messageLogId}`);
    const { name, stops } = this.campaigns.find((campaign) => campaign.id === campaignId)!;
    for (const copy of this.evidence.copies.copiesOf(index))
      for (const stop of stops)
        if (this.isOfStopped(copy, stop))
          this.gaps.add(`${id} left ${copy.from - stop.from} ms after ${name} was stopped`);
  }

  result(): CheckResult {
    const { campaigns } = this;
    for (const campaign of campaigns) this.checkCampaign(campaign);
    return {
      name: 'Every recipient of a campaign has one message or one reason, and none is stored or sent once it is stopped',
      counted: campaigns
        .map(({ name, status, progress, stops }) => {
          const { recipients, accepted, skipped } = progress;
          const reasons = Object.entries(skipped).flatMap(([reason, count]) =>
            count > 0 ? [`${count} ${reason}`] : [],
          );
          return `${name} ${status}: ${[`${accepted} of ${recipients} accepted`, ...reasons, `stopped ${stops.length} times`].join(', ')}`;
        })
        .join('; '),
      gaps: this.gaps,
    };
  }

  /** Its worker may have made the check before the stop, and then have been halted. */
  private isOfStopped({ from, worker }: Copy, stop: CampaignStop): boolean {
    const { disruptions, overloads } = this.evidence;
    const noticedBy = stop.from + NOTICED_AFTER_MS;
    if (from <= noticedBy || from > stop.to) return false;
    const halts = disruptions.filter(
      ({ kind, process }) => kind === 'worker_stopped' && (worker === null || process === worker),
    );
    return ![...halts, ...overloads].some((halt) => halt.from <= noticedBy && from <= halt.to + NOTICED_AFTER_MS);
  }

  private checkCampaign(campaign: CampaignResult): void {
    const { name, status, audience, recipients, stops } = campaign;
    if (!ENDED.includes(status)) this.gaps.add(`${name} is still ${status}`);
    for (const { before, after } of stops)
      if (after !== before) this.gaps.add(`${name} had ${before} messages when it was stopped, and ${after} later`);
    const listed = groupBy(recipients, ({ email }) => email);
    for (const [email, { length }] of listed)
      if (length > 1) this.gaps.add(`${email} of ${name} is listed ${length} times`);
    // A canceled campaign may have ended before its audience was complete. Contacts may be deleted before the start.
    const isListed = (email: string) => listed.has(email) || this.deleted.has(email);
    for (const email of audience)
      if (status === 'completed' && !isListed(email)) this.gaps.add(`${email} of ${name} is no recipient`);
    for (const recipient of recipients) this.checkRecipient(campaign, recipient);
    this.checkProgress(campaign);
  }

  private checkRecipient({ name, status }: CampaignResult, { email, outcome, reason }: CampaignRecipient): void {
    const subject = `${email} of ${name}`;
    const count = this.stored.get(email) ?? 0;
    if (outcome === 'waiting' && status === 'completed') this.gaps.add(`${subject} is waiting, though it is completed`);
    if (count !== (outcome === 'accepted' ? 1 : 0)) this.gaps.add(`${subject} is ${outcome} and has ${count} messages`);
    if (outcome === 'skipped' && !this.hasCause(email, reason))
      this.gaps.add(`${subject} was skipped without a cause: ${reason}`);
  }

  private hasCause(email: string, reason: CampaignRecipient['reason']): boolean {
    if (reason === 'deleted') return this.deleted.has(email);
    return reason === 'suppressed' && this.evidence.suppressionCauses.some(({ address }) => address === email);
  }

  private checkProgress({ name, progress, recipients }: CampaignResult): void {
    const count = (isCounted: (recipient: CampaignRecipient) => boolean) => recipients.filter(isCounted).length;
    const { skipped, ...shown } = progress;
    const actual: Record<string, [shown: number | undefined, actual: number]> = {
      recipients: [shown.recipients, recipients.length],
      waiting: [shown.waiting, count(({ outcome }) => outcome === 'waiting')],
      accepted: [shown.accepted, count(({ outcome }) => outcome === 'accepted')],
      suppressed: [skipped.suppressed, count(({ reason }) => reason === 'suppressed')],
      deleted: [skipped.deleted, count(({ reason }) => reason === 'deleted')],
      failed: [skipped.failed, count(({ reason }) => reason === 'failed')],
    };
    for (const [what, [number, found]] of Object.entries(actual))
      if (number !== found) this.gaps.add(`${name} shows ${what} ${number}, but ${found} are`);
  }
}
