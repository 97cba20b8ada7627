import { Body, Controller, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiInternalServerErrorResponse,
  ApiOkResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';

import { RequireScope } from '../../../platform/http/access/access.js';
import { CurrentCaller, type KeyCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { AcceptSms } from '../application/accept-sms.service.js';
import { IdempotentSend } from '../application/idempotent-send.service.js';
import { fingerprintOf } from '../domain/request-fingerprint.js';
import { segmentSms } from '../domain/sms-segments.js';
import { ownerOf } from './owner-of.js';
import { ReportAcceptedSend } from './report-accepted-send.js';
import { DailyCapsGuard } from './daily-caps.guard.js';
import { PreviewSmsDto, SendSmsDto } from './dto/send-sms.dto.js';
import { IdempotencyKey, ApiIdempotencyKey, REPLAYED_HEADER } from './idempotency-key.js';
import { RATE_LIMIT_HEADERS } from './rate-limit-headers.js';
import { QueuedSmsResponse, SmsPreviewResponse } from './send.response.js';

@Controller('api/send/sms')
@ApiTags('Sending')
export class SmsController {
  constructor(
    private readonly acceptSms: AcceptSms,
    private readonly idempotentSend: IdempotentSend,
    private readonly acceptedSend: ReportAcceptedSend,
  ) {}

  /**
   * Queues one SMS. The response is sent once the message is stored durably. An accepted SMS counts as one message
   * towards the limits of the key and the account, regardless of its segments; a refused one does not count.
   */
  @Post()
  @OperationId('sendSms')
  @RequireScope('sms:send')
  @ApiIdempotencyKey()
  @UseGuards(DailyCapsGuard)
  @ApiCreatedResponse({ type: QueuedSmsResponse, headers: { ...RATE_LIMIT_HEADERS, ...REPLAYED_HEADER } })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description:
      'Invalid number, a number that has opted out or that is not verified in the SMS sandbox, no origination number, SMS ' +
      'not enabled, an empty body or one of more than 10 segments, or the key has reached its daily limit',
  })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse, description: 'The request is larger than 1 MB' })
  @ApiTooManyRequestsResponse({
    type: ErrorResponse,
    description: 'The account has reached its daily cap, or that of test content',
  })
  @ApiInternalServerErrorResponse({ type: ErrorResponse })
  @ApiErrors({
    key_daily_limit: true,
    opted_out: true,
    unsubscribed_from_topic: true,
    daily_limit: true,
    provider_error: 'Provider error: the settings name the provider "other", and this version has sns, twilio',
  })
  async send(
    @CurrentCaller() caller: KeyCaller,
    @Body() body: SendSmsDto,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuedSmsResponse> {
    const idempotencyKey = key === undefined ? undefined : { key, fingerprint: fingerprintOf('sms', body) };
    const request = { ...body, ...ownerOf(caller), idempotencyKey };
    const accepted = await this.idempotentSend.acceptOnce(request, this.acceptSms.accept(request));
    this.acceptedSend.report(response, 'sms', accepted);
    const { segments, encoding } = accepted.usage ? accepted : segmentSms(body.body);
    return { queued: true, messageLogId: accepted.messageId, segments, encoding };
  }

  /** Counts the segments of a text and lists the characters that prevent GSM-7. Sends nothing and uses up no limit. */
  @Post('preview')
  @OperationId('previewSms')
  @HttpCode(200)
  @RequireScope('sms:send')
  @ApiOkResponse({ type: SmsPreviewResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  preview(@Body() { body }: PreviewSmsDto): SmsPreviewResponse {
    return SmsPreviewResponse.from(segmentSms(body));
  }
}
