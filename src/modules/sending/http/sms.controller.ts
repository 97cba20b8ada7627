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
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { AcceptSms } from '../application/accept-sms.service.js';
import { IdempotentSend } from '../application/idempotent-send.service.js';
import { fingerprintOf } from '../domain/request-fingerprint.js';
import { segmentSms } from '../domain/sms-segments.js';
import { AcceptedAnswer } from './accepted-answer.js';
import { DailyCapsGuard } from './daily-caps.guard.js';
import { PreviewSmsDto, SendSmsDto } from './dto/send-sms.dto.js';
import { IdempotencyKey, Repeatable, REPLAYED_HEADER } from './idempotency-key.js';
import { RATE_LIMIT_HEADERS } from './rate-limit-headers.js';
import { QueuedSmsResponse, SmsPreviewResponse } from './sms.response.js';

@Controller('api/send/sms')
@ApiTags('Sending')
export class SmsController {
  constructor(
    private readonly acceptSms: AcceptSms,
    private readonly repeated: IdempotentSend,
    private readonly answer: AcceptedAnswer,
  ) {}

  /**
   * Queues one SMS. The answer comes when the message is stored durably. It counts as one message under the caps of the
   * key and the account, however many segments it has; a refused one uses up nothing.
   */
  @Post()
  @OperationId('sendSms')
  @RequireScope('sms:send')
  @Repeatable()
  @UseGuards(DailyCapsGuard)
  @ApiCreatedResponse({ type: QueuedSmsResponse, headers: { ...RATE_LIMIT_HEADERS, ...REPLAYED_HEADER } })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description:
      'Invalid number, a number that has opted out or that the SMS sandbox does not reach, no origination number, SMS not ' +
      'enabled, an empty body or one of more than 10 segments, or the daily limit of the key is reached',
  })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse, description: 'The request is larger than 1 MB' })
  @ApiTooManyRequestsResponse({ type: ErrorResponse, description: 'The daily cap of the account is reached' })
  @ApiInternalServerErrorResponse({ type: ErrorResponse })
  async send(
    @CurrentCaller() { accountId, apiKeyId, dailyLimit }: KeyCaller,
    @Body() body: SendSmsDto,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuedSmsResponse> {
    const idempotencyKey = key === undefined ? undefined : { key, fingerprint: fingerprintOf('sms', body) };
    const request = { ...body, accountId, apiKeyId, keyLimit: dailyLimit, idempotencyKey };
    const accepted = await this.repeated.answer(request, () => this.acceptSms.accept(request));
    this.answer.tell(response, 'sms', accepted.usage);
    const { segments, encoding } = accepted.usage ? accepted : segmentSms(body.body);
    return { queued: true, messageLogId: accepted.messageId, segments, encoding };
  }

  /** Counts the segments of a text, and says which characters keep it from being sent in GSM-7. Sends and counts nothing. */
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
