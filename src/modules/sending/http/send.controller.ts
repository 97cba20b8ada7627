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
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { DomainError } from '../../../shared/domain-error.js';
import { AcceptEmail } from '../application/accept-email.service.js';
import { IdempotentSend } from '../application/idempotent-send.service.js';
import { fingerprintOf } from '../domain/request-fingerprint.js';
import { unsubscribeUrlFault } from '../domain/unsubscribe-url.js';
import { ReportAcceptedSend } from './report-accepted-send.js';
import { DailyCapsGuard } from './daily-caps.guard.js';
import { SendEmailDto } from './dto/send-email.dto.js';
import { IdempotencyKey, ApiIdempotencyKey, REPLAYED_HEADER } from './idempotency-key.js';
import { QueuedMessageResponse } from './send.response.js';
import { RATE_LIMIT_HEADERS } from './rate-limit-headers.js';

@Controller('api/send')
@ApiTags('Sending')
@UseGuards(DailyCapsGuard)
export class SendController {
  private readonly allowsHttp: boolean;

  constructor(
    private readonly acceptEmail: AcceptEmail,
    private readonly idempotentSend: IdempotentSend,
    private readonly reportAcceptedSend: ReportAcceptedSend,
    { baseUrl }: Config,
  ) {
    this.allowsHttp = baseUrl.startsWith('http:');
  }

  /**
   * Queues one transactional e-mail. The response is sent once the message is stored durably. Each accepted message
   * counts towards the limits of the key and the account; a refused one does not.
   */
  @Post('transactional')
  @OperationId('sendEmail')
  @RequireScope('send')
  @ApiIdempotencyKey()
  @ApiCreatedResponse({ type: QueuedMessageResponse, headers: { ...RATE_LIMIT_HEADERS, ...REPLAYED_HEADER } })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description: 'Invalid payload, suppressed recipient, unverified sender, or the key has reached its daily limit',
  })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse, description: 'The body is larger than 1 MB' })
  @ApiTooManyRequestsResponse({ type: ErrorResponse, description: 'The account has reached its daily cap' })
  @ApiInternalServerErrorResponse({ type: ErrorResponse })
  async sendTransactional(
    @CurrentCaller() { accountId, apiKeyId, dailyLimit }: KeyCaller,
    @Body() body: SendEmailDto,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuedMessageResponse> {
    const fault = body.unsubscribeUrl == null ? undefined : unsubscribeUrlFault(body.unsubscribeUrl, this.allowsHttp);
    if (fault) throw DomainError.invalid(fault);
    const idempotencyKey = key === undefined ? undefined : { key, fingerprint: fingerprintOf('email', body) };
    const request = { ...body, accountId, apiKeyId, keyLimit: dailyLimit, idempotencyKey };
    const accepted = await this.idempotentSend.acceptOnce(request, () => this.acceptEmail.accept(request));
    this.reportAcceptedSend.report(response, 'email', accepted);
    return { queued: true, messageLogId: accepted.messageId };
  }
}
