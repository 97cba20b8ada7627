import { Body, Controller, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { RequireScopeOrSession } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { ControlMessages } from '../application/control-messages.service.js';
import type { MessageLog } from '../domain/message-log.js';
import { withAccountOf } from './account-of-caller.js';
import { CancelMessagesDto, RescheduleMessageDto } from './dto/reschedule-message.dto.js';
import { CanceledMessagesResponse } from './message-actions.response.js';
import { MessageResponse } from './message.response.js';
import { keyOf } from './to-message-filter.js';

const IMPOSSIBLE =
  'The message is being sent or has its final status: `Message is already being sent`, `Message is sent`';

/** A key changes the messages that it has sent, an admin all messages of the account. */
@Controller('api/messages')
@ApiTags('Messages')
export class MessageActionsController {
  constructor(
    private readonly messages: ControlMessages,
    private readonly providers: ProviderDirectory,
  ) {}

  /**
   * Cancels messages. Each is canceled or not as with the cancellation of one; repeating the request gives the same
   * response.
   */
  @Post('cancel')
  @OperationId('cancelMessages')
  @HttpCode(200)
  @RequireScopeOrSession('send', 'admin')
  @ApiOkResponse({ type: CanceledMessagesResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async cancelAll(
    @CurrentCaller() caller: Caller,
    @Body() { ids }: CancelMessagesDto,
  ): Promise<CanceledMessagesResponse> {
    return CanceledMessagesResponse.from(
      await this.messages.cancelAll({ accountId: caller.accountId, apiKeyId: keyOf(caller) }, ids),
    );
  }

  /**
   * Cancels a message that is queued: scheduled, or waiting for its next attempt. After the response nothing sends it
   * any more. Canceling it again gives the same response. The daily limits get nothing back.
   */
  @Post(':id/cancel')
  @OperationId('cancelMessage')
  @HttpCode(200)
  @RequireScopeOrSession('send', 'admin')
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: IMPOSSIBLE })
  @ApiErrors({ conflict: 'Message is already being sent' })
  async cancel(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<MessageResponse> {
    const apiKeyId = keyOf(caller);
    return this.show(
      caller,
      await withAccountOf(caller, (accountId) => this.messages.cancel({ accountId, apiKeyId }, id)),
    );
  }

  /** Gives a queued message another time. */
  @Patch(':id')
  @OperationId('rescheduleMessage')
  @RequireScopeOrSession('send', 'admin')
  @ApiOkResponse({ type: MessageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'No time, one in the past, or more than 90 days ahead' })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: IMPOSSIBLE })
  @ApiErrors({ conflict: 'Message is already being sent' })
  async reschedule(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { scheduledAt }: RescheduleMessageDto,
  ): Promise<MessageResponse> {
    const apiKeyId = keyOf(caller);
    return this.show(
      caller,
      await withAccountOf(caller, (accountId) => this.messages.reschedule({ accountId, apiKeyId }, id, scheduledAt)),
    );
  }

  private async show(caller: Caller, message: MessageLog): Promise<MessageResponse> {
    const hidden = caller.kind === 'key' ? await this.providers.relayHosts(caller.accountId) : null;
    return MessageResponse.from(message, caller, hidden);
  }
}
