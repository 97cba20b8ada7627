import { applyDecorators, Body, Controller, Post, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiInternalServerErrorResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';

import { Config } from '../../../config/config.js';
import { RequireScope } from '../../../platform/http/access/access.js';
import { CurrentCaller, type KeyCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { HasEntriesIn } from '../../../platform/http/json-body.guard.js';
import { MAX_SEND_MB } from '../../../platform/http/large-body/body-memory.js';
import { holdingBody, TakesUpTo } from '../../../platform/http/large-body/large-body.reader.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { type SentBatch, SendBatch } from '../application/send-batch.service.js';
import { fingerprintOfBatch } from '../domain/request-fingerprint.js';
import { ATTACHMENTS_PATH } from './attachments-body.js';
import { QueuedBatchResponse } from './batch.response.js';
import { DailyCapsGuard } from './daily-caps.guard.js';
import { SendEmailBatchDto, SendSmsBatchDto } from './dto/send-batch.dto.js';
import { ApiIdempotencyKey, IdempotencyKey, REPLAYED_HEADER } from './idempotency-key.js';
import { RATE_LIMIT_HEADERS } from './rate-limit-headers.js';
import { ReadBatch } from './read-batch.js';
import { ReportAcceptedSend } from './report-accepted-send.js';

const FILES_PATH = ['messages', null, ...ATTACHMENTS_PATH] as const;
const CREATED = { type: QueuedBatchResponse, headers: { ...RATE_LIMIT_HEADERS, ...REPLAYED_HEADER } };
const REFUSED = {
  type: ErrorResponse,
  description:
    'None of the messages was accepted: a fault, such as `messages[3].to must be an email address`, or the key has ' +
    'reached its daily limit',
};
const OVER_CAP = {
  type: ErrorResponse,
  description: 'The daily cap of the account leaves too little room, or that of test content is reached',
};
const TOO_LARGE = { type: ErrorResponse, description: `The request is larger than ${MAX_SEND_MB} MB` };

/** What the routes for batches have in common. `files`: where their bodies hold base64. */
const AcceptsBatch = (...files: readonly (string | null)[]): MethodDecorator =>
  applyDecorators(
    TakesUpTo(MAX_SEND_MB, ...files),
    HasEntriesIn('messages'),
    ApiIdempotencyKey(),
    ApiCreatedResponse(CREATED),
    ApiBadRequestResponse(REFUSED),
    ApiPayloadTooLargeResponse(TOO_LARGE),
    ApiTooManyRequestsResponse(OVER_CAP),
    ApiInternalServerErrorResponse({ type: ErrorResponse }),
    ApiErrors({ key_daily_limit: true, daily_limit: true }),
  );

@Controller('api/send')
@ApiTags('Sending')
@UseGuards(DailyCapsGuard)
export class BatchController {
  private readonly readBatch: ReadBatch;

  constructor(
    private readonly sendBatch: SendBatch,
    private readonly acceptedSend: ReportAcceptedSend,
    config: Config,
  ) {
    this.readBatch = new ReadBatch(config);
  }

  /**
   * Queues up to 500 e-mails at a time. The request is one transaction: once the response is sent, all accepted
   * messages are stored durably. A batch of which at least one message was accepted is answered by 201; otherwise by
   * the first error.
   */
  @Post('batch')
  @OperationId('sendEmailBatch')
  @RequireScope('send')
  @AcceptsBatch(...FILES_PATH)
  @ApiErrors({
    validation: 'messages[3].to must be an email address',
    suppressed: 'messages[0]: ada@example.com is suppressed',
    unsubscribed_from_topic: 'messages[0]: ada@example.com has unsubscribed from Offers',
    sender_not_verified: 'messages[0]: hello@example.com is not verified for sending',
    template_fault: 'messages[0].html: Unclosed section "items" at 42',
    missing_variable: 'messages[0].variables lacks firstName',
  })
  async sendEmails(
    @CurrentCaller() caller: KeyCaller,
    @Body() body: SendEmailBatchDto,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuedBatchResponse> {
    const sent = await holdingBody(response, async () => {
      const messages = await this.readBatch.emails(caller, body.messages);
      const fingerprint = key === undefined ? undefined : await fingerprintOfBatch('email', body);
      return this.sendBatch.sendEmails({ ...requestOf(caller, body, key, fingerprint), messages });
    });
    return this.report(response, 'email', sent);
  }

  /** Queues up to 500 SMS at a time, like a batch of e-mails. */
  @Post('sms/batch')
  @OperationId('sendSmsBatch')
  @RequireScope('sms:send')
  @AcceptsBatch()
  @ApiErrors({
    validation: 'messages[3].to must be a phone number in E.164 format or of 10 digits (US)',
    opted_out: 'messages[0]: +12065550100 has opted out of SMS',
    unsubscribed_from_topic: 'messages[0]: +12065550100 has unsubscribed from Offers',
    provider_error: 'Provider error: the settings name the provider "other", and this version has sns, twilio',
  })
  async sendSms(
    @CurrentCaller() caller: KeyCaller,
    @Body() body: SendSmsBatchDto,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuedBatchResponse> {
    const sent = await holdingBody(response, async () => {
      const messages = await this.readBatch.sms(caller, body.messages);
      const fingerprint = key === undefined ? undefined : await fingerprintOfBatch('sms', body);
      return this.sendBatch.sendSms({ ...requestOf(caller, body, key, fingerprint), messages });
    });
    return this.report(response, 'sms', sent);
  }

  private report(response: Response, channel: 'email' | 'sms', { entries, usage }: SentBatch): QueuedBatchResponse {
    const accepted = entries.flatMap((entry) => ('messageId' in entry ? [entry, ...(entry.copies ?? [])] : []));
    const [first, ...copies] = accepted;
    if (first) this.acceptedSend.report(response, channel, { messageId: first.messageId, copies, usage });
    return QueuedBatchResponse.from(entries);
  }
}

const requestOf = (
  { accountId, apiKeyId, dailyLimit }: KeyCaller,
  { mode }: Pick<SendEmailBatchDto, 'mode'>,
  key: string | undefined,
  fingerprint: string | undefined,
) => ({
  ...{ accountId, apiKeyId, keyLimit: dailyLimit, mode: mode ?? ('all' as const) },
  idempotencyKey: key === undefined || fingerprint === undefined ? undefined : { key, fingerprint },
});
