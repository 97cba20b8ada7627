import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { scheduledTime } from '../../../shared/schedule.js';
import { type NewGroup, plainGroup } from '../../messages/index.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { isSimulatedRecipient, isSimulatedSuppression, SIMULATED_ORIGINATION_NUMBER } from '../../simulator/index.js';
import { SmsSandbox } from '../../sms/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { SmsRequest } from '../domain/send-request.js';
import { parseSmsRecipient } from '../domain/sms-recipient.js';
import { MAX_SEGMENTS, type SegmentedSms, segmentSms } from '../domain/sms-segments.js';
import { suppressedText } from '../domain/submission-refused.js';
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
    const { accountId, apiKeyId, to, body, resentFrom } = request;
    const { segments, encoding } = requireWithinLimit(body);
    const number = requireRecipient(to);
    const scheduledAt = scheduledTime(request.scheduledAt, createdAt);
    const sender = await this.requireSendable(request, number);
    const group = plainGroup({
      ...{ id, accountId, apiKeyId, channel: 'sms', createdAt, scheduledAt },
      ...{ recipient: number, normalisedRecipient: number, sender, senderName: null, replyTo: null },
      ...{ subject: null, templateId: null, html: null, text: body, unsubscribeUrl: null, segments, encoding },
    });
    return { group: resentFrom === undefined ? group : { ...group, resentFrom }, segments, encoding };
  }

  /** Returns the origination number. */
  private async requireSendable({ accountId, testOf = null }: SmsRequest, number: string): Promise<string> {
    if (testOf !== null) {
      await this.requireNotSuppressed(accountId, number, true);
      return SIMULATED_ORIGINATION_NUMBER;
    }
    const provider = await this.providers.findSms(accountId);
    if (!provider) throw DomainError.invalid('SMS is not enabled for this account', 'sms_not_enabled');
    const { originationNumber } = provider;
    if (originationNumber === null) {
      throw DomainError.invalid('No origination number is set for this account', 'no_origination_number');
    }
    await this.requireNotSuppressed(accountId, number, false);
    if (!isSimulatedRecipient('sms', number)) await this.sandbox.requireReachable(accountId, provider, number);
    return originationNumber;
  }

  private async requireNotSuppressed(accountId: string, number: string, isTest: boolean): Promise<void> {
    const isSuppressed =
      isSimulatedSuppression('sms', number, isTest) || (await this.suppressions.isSuppressed(accountId, 'sms', number));
    if (isSuppressed) throw DomainError.invalid(suppressedText('sms', number), 'suppressed');
  }
}

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
