import { Injectable } from '@nestjs/common';

import { MAX_SMS_SEGMENTS } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { scheduledTime } from '../../../shared/schedule.js';
import { type NewGroup, plainGroup } from '../../messages/index.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import {
  isSimulatedRecipient,
  isSimulatedSuppression,
  SIMULATED_ORIGINATION_NUMBER,
} from '../../../providers/index.js';
import { SmsSandbox } from '../../sms/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { SmsRequest } from '../domain/send-request.js';
import { refusalError } from '../domain/recipient-refusal.js';
import { parseSmsRecipient } from '../domain/sms-recipient.js';
import { type SegmentedSms, segmentSms } from '../domain/sms-segments.js';
import type { Identity } from './prepare-email.service.js';

/** An SMS that has passed all checks but the daily limits. */
export interface PreparedSms extends Pick<SegmentedSms, 'segments' | 'encoding'> {
  group: NewGroup;
}

@Injectable()
export class PrepareSms {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly suppressions: SuppressionList,
    private readonly sandbox: SmsSandbox,
  ) {}

  /**
   * Throws `invalid`. SNS silently drops what it cannot deliver, so what is known to be undeliverable is refused. A
   * test message needs no provider: it reaches nobody.
   */
  async prepare(request: SmsRequest, { createdAt, ids: [id = ''] }: Identity): Promise<PreparedSms> {
    const { accountId, apiKeyId, to, body, resentFrom, topicId = null } = request;
    const { segments, encoding } = requireWithinLimit(body);
    const number = requireRecipient(to);
    const scheduledAt = scheduledTime(request.scheduledAt, createdAt);
    const sender = await this.requireSendable(request, number);
    const group = plainGroup({
      ...{ id, accountId, apiKeyId, channel: 'sms', createdAt, scheduledAt },
      ...{ recipient: number, normalisedRecipient: number, sender, senderName: null, replyTo: null },
      ...{ subject: null, templateId: null, html: null, text: body, unsubscribeUrl: null, segments, encoding, topicId },
    });
    return { group: resentFrom === undefined ? group : { ...group, resentFrom }, segments, encoding };
  }

  /** Returns the origination number. */
  private async requireSendable(request: SmsRequest, number: string): Promise<string> {
    const { accountId, testOf = null } = request;
    if (testOf !== null) {
      await this.requireNotRefused(request, number, true);
      return SIMULATED_ORIGINATION_NUMBER;
    }
    const provider = await this.providers.findSms(accountId);
    if (!provider) throw DomainError.invalid('SMS is not enabled for this account');
    const { originationNumber } = provider;
    if (originationNumber === null) {
      throw DomainError.invalid('No origination number is set for this account');
    }
    await this.requireNotRefused(request, number, false);
    if (!isSimulatedRecipient('sms', number)) await this.sandbox.requireReachable(accountId, provider, number);
    return originationNumber;
  }

  private async requireNotRefused(
    { accountId, topicId }: SmsRequest,
    recipient: string,
    isTest: boolean,
  ): Promise<void> {
    const message = { accountId, channel: 'sms', recipient, topicId } as const;
    const refusal = isSimulatedSuppression('sms', recipient, isTest)
      ? 'suppressed'
      : await this.suppressions.findRefusalToAccept(message);
    if (refusal !== null) throw refusalError(refusal, message);
  }
}

function requireRecipient(to: string): string {
  const recipient = parseSmsRecipient(to);
  if ('fault' in recipient) throw DomainError.invalid(`to ${recipient.fault}`);
  return recipient.number;
}

function requireWithinLimit(body: string): SegmentedSms {
  const segmented = segmentSms(body);
  if (segmented.segments <= MAX_SMS_SEGMENTS) return segmented;
  throw DomainError.invalid(
    `body is too long: it takes ${segmented.segments} segments, at most ${MAX_SMS_SEGMENTS} are sent`,
  );
}
