import { Controller, Param, Post, Req } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Request } from 'express';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { inEitherAccount } from '../../messages/index.js';
import { ResendMessage } from '../application/resend-message.service.js';
import { ReportAcceptedSend } from './report-accepted-send.js';
import { ResentMessageResponse } from './send.response.js';

@Controller('api/messages')
@ApiTags('Messages')
export class ResendController {
  constructor(
    private readonly resendMessage: ResendMessage,
    private readonly acceptedSend: ReportAcceptedSend,
  ) {}

  /**
   * Sends the content of a failed, canceled or suppressed message again, to the same recipient: as a new message that
   * is subject to all checks and to the daily cap of the account; of a campaign, also to the consent that the account
   * requires for campaigns. A message is resent once: repeating the request gives
   * the same response. If the new message fails as well, it can be resent in turn.
   */
  @Post(':id/resend')
  @OperationId('resendMessage')
  @Session('admin')
  @ApiCreatedResponse({ type: ResentMessageResponse })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description: 'Suppressed recipient, lack of a required consent, unverified sender',
  })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({
    type: ErrorResponse,
    description: 'The message has another status: `Message is sent`; or its content is no longer kept',
  })
  @ApiTooManyRequestsResponse({
    type: ErrorResponse,
    description: 'The account has reached its daily cap, or that of test content',
  })
  @ApiErrors({
    suppressed: true,
    opted_out: true,
    no_consent: true,
    unsubscribed_from_topic: true,
    sender_not_verified: true,
    conflict: 'Message is sent',
    daily_limit: true,
  })
  async resend(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<ResentMessageResponse> {
    const { messageId, channel, isNew } = await inEitherAccount(accountId, (owner) =>
      this.resendMessage.resend({ accountId: owner, testOf: owner === accountId ? null : accountId }, id),
    );
    if (isNew) this.acceptedSend.count(request, channel, { messageId });
    return { queued: true, messageLogId: messageId, resentFrom: id };
  }
}
