import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { scheduledTime } from '../../../shared/schedule.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { capError, type CapUsage, DeliveryJobs, MessageIntake, type NewMessage } from '../../messages/index.js';
import { SmsSandbox } from '../../sms/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { SmsRequest } from '../domain/send-request.js';
import { parseSmsRecipient } from '../domain/sms-recipient.js';
import { MAX_SEGMENTS, type SegmentedSms, segmentSms } from '../domain/sms-segments.js';
import { suppressedText } from '../domain/submission-refused.js';

export interface AcceptedSms extends Pick<SegmentedSms, 'segments' | 'encoding'> {
  outcome: 'accepted';
  messageId: string;
  usage: CapUsage;
}

@Injectable()
export class AcceptSms {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly suppressions: SuppressionList,
    private readonly sandbox: SmsSandbox,
    private readonly intake: MessageIntake,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the SMS and enqueues its delivery. Once this resolves, the SMS is durable and will be delivered even if the
   * queue is lost. SNS silently drops messages that it cannot deliver, so those known to be undeliverable are refused.
   */
  async accept({
    accountId,
    apiKeyId,
    keyLimit,
    idempotencyKey,
    to,
    body,
    scheduledAt: given,
  }: SmsRequest): Promise<AcceptedSms | { outcome: 'duplicate' }> {
    const { segments, encoding } = requireWithinLimit(body);
    const number = requireRecipient(to);
    const createdAt = this.clock.now();
    const scheduledAt = scheduledTime(given, createdAt);
    const sender = await this.requireSendable(accountId, number);
    const id = newId(createdAt);
    const message = { id, accountId, apiKeyId, sender, text: body, segments, encoding, createdAt, scheduledAt };
    const result = await this.intake.accept(toMessage(number, message), keyLimit, idempotencyKey);
    if (result.outcome === 'over_cap') throw capError(result.cap, this.clock.now());
    if (result.outcome === 'duplicate') return result;
    if (scheduledAt === null) this.jobs.enqueue({ messageId: id, accountId, lane: 'sms' });
    return { outcome: 'accepted', messageId: id, usage: result.usage, segments, encoding };
  }

  /** Returns the origination number. */
  private async requireSendable(accountId: string, number: string): Promise<string> {
    const provider = await this.providers.findSms(accountId);
    if (!provider) throw DomainError.invalid('SMS is not enabled for this account', 'sms_not_enabled');
    const { originationNumber } = provider;
    if (originationNumber === null) {
      throw DomainError.invalid('No origination number is set for this account', 'no_origination_number');
    }
    if (await this.suppressions.isSuppressed(accountId, 'sms', number)) {
      throw DomainError.invalid(suppressedText('sms', number), 'suppressed');
    }
    await this.sandbox.requireReachable(accountId, provider, number);
    return originationNumber;
  }
}

type SmsFields =
  'id' | 'accountId' | 'apiKeyId' | 'sender' | 'text' | 'segments' | 'encoding' | 'createdAt' | 'scheduledAt';

const toMessage = (number: string, message: Pick<NewMessage, SmsFields>): NewMessage => ({
  channel: 'sms',
  recipient: number,
  normalisedRecipient: number,
  senderName: null,
  replyTo: null,
  subject: null,
  templateId: null,
  html: null,
  unsubscribeUrl: null,
  ...message,
});

function requireRecipient(to: string): string {
  const recipient = parseSmsRecipient(to);
  if ('fault' in recipient) throw DomainError.invalid(`to ${recipient.fault}`);
  return recipient.number;
}

function requireWithinLimit(body: string): SegmentedSms {
  const segmented = segmentSms(body);
  if (segmented.segments <= MAX_SEGMENTS) return segmented;
  throw DomainError.invalid(
    `body is too long: it takes ${segmented.segments} segments, at most ${MAX_SEGMENTS} are sent`,
  );
}
