import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { RequireScopeOrSession } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { GetMessage } from '../application/get-message.service.js';
import { EmailEventResponse, MessageDetailResponse, MessageResponse } from './message.response.js';

@Controller('api/messages')
@ApiTags('Messages')
export class MessagesController {
  constructor(private readonly getMessage: GetMessage) {}

  /** One message with its timeline. A key sees what it sent itself, a session all messages of the account. */
  @Get(':id')
  @RequireScopeOrSession('read_events')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageDetailResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<MessageDetailResponse> {
    const apiKeyId = caller.kind === 'key' ? caller.apiKeyId : null;
    const { message, events } = await this.getMessage.withTimeline(caller.accountId, id, apiKeyId);
    return {
      ...MessageResponse.from(message),
      events: events.map((event) => EmailEventResponse.from(event)),
      ...(caller.kind === 'session' ? { contact: null, campaign: null } : {}),
    };
  }
}
