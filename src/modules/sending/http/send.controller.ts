import { Body, Controller, Post, Res, UseGuards } from '@nestjs/common';
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
import { MAX_SEND_MB } from '../../../platform/http/large-body/body-memory.js';
import { holdingBody, TakesAttachments } from '../../../platform/http/large-body/large-body.reader.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { DomainError } from '../../../shared/domain-error.js';
import { AcceptEmail } from '../application/accept-email.service.js';
import { unsubscribeUrlFault } from '../domain/unsubscribe-url.js';
import { ownerOf } from './owner-of.js';
import { ReportAcceptedSend } from './report-accepted-send.js';
import { DailyCapsGuard } from './daily-caps.guard.js';
import { ATTACHMENTS_PATH } from './attachments-body.js';
import { SendEmailDto } from './dto/send-email.dto.js';
import { IdempotencyKey, ApiIdempotencyKey, REPLAYED_HEADER } from './idempotency-key.js';
import { QueuedEmailResponse } from './send.response.js';
import { RATE_LIMIT_HEADERS } from './rate-limit-headers.js';

@Controller('api/send')
@ApiTags('Sending')
@UseGuards(DailyCapsGuard)
export class SendController {
  private readonly allowsHttp: boolean;

  constructor(
    private readonly acceptEmail: AcceptEmail,
    private readonly reportAcceptedSend: ReportAcceptedSend,
    { baseUrl }: Config,
  ) {
    this.allowsHttp = baseUrl.startsWith('http:');
  }

  /**
   * Queues one transactional e-mail and its copies. The response is sent once all of them are stored durably. Each
   * accepted message counts towards the limits of the key and the account; a refused send does not.
   */
  @Post('transactional')
  @OperationId('sendEmail')
  @RequireScope('send')
  @TakesAttachments(...ATTACHMENTS_PATH)
  @ApiIdempotencyKey()
  @ApiCreatedResponse({ type: QueuedEmailResponse, headers: { ...RATE_LIMIT_HEADERS, ...REPLAYED_HEADER } })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description: 'Invalid payload, suppressed recipient, unverified sender, or the key has reached its daily limit',
  })
  @ApiPayloadTooLargeResponse({
    type: ErrorResponse,
    description: `The attachments are too large together, or the body is larger than ${MAX_SEND_MB} MB without them`,
  })
  @ApiTooManyRequestsResponse({
    type: ErrorResponse,
    description: 'The account has reached its daily cap, or that of test content',
  })
  @ApiInternalServerErrorResponse({ type: ErrorResponse })
  @ApiErrors({
    key_daily_limit: true,
    suppressed: true,
    unsubscribed_from_topic: true,
    sender_not_verified: true,
    template_fault: true,
    missing_variable: true,
    daily_limit: true,
  })
  async sendTransactional(
    @CurrentCaller() caller: KeyCaller,
    @Body() body: SendEmailDto,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuedEmailResponse> {
    const fault = body.unsubscribeUrl == null ? undefined : unsubscribeUrlFault(body.unsubscribeUrl, this.allowsHttp);
    if (fault) throw DomainError.invalid(fault);
    const accepted = await holdingBody(response, () =>
      this.acceptEmail.acceptOnce({ ...body, ...ownerOf(caller) }, key, body),
    );
    this.reportAcceptedSend.report(response, 'email', accepted);
    return QueuedEmailResponse.from(accepted);
  }
}
