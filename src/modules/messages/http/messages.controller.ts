import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { RequireScopeOrSession, Session } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ReadMessages } from '../application/read-messages.service.js';
import { RelayHosts } from '../application/relay-hosts.service.js';
import { AggregateMessagesDto } from './dto/aggregate-messages.dto.js';
import { ListMessagesDto } from './dto/list-messages.dto.js';
import { MessageContentResponse } from './message-content.response.js';
import { MessageTotalsResponse } from './message-totals.response.js';
import { type HiddenHosts, MessageDetailResponse, MessagePageResponse } from './message.response.js';
import { keyOf, toMessageFilter } from './to-message-filter.js';

@Controller('api/messages')
@ApiTags('Messages')
export class MessagesController {
  constructor(
    private readonly messages: ReadMessages,
    private readonly relays: RelayHosts,
  ) {}

  /**
   * Lists messages, newest first. A key sees what it sent itself, a session all messages of the account. A page can hold
   * fewer items than `limit`, even none, and still have a `nextCursor`: the list ends where that is null.
   */
  @Get()
  @RequireScopeOrSession('read_events')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessagePageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() caller: Caller, @Query() query: ListMessagesDto): Promise<MessagePageResponse> {
    const { cursor, limit } = query;
    const filter = toMessageFilter(caller, query);
    const page = await this.messages.page(caller.accountId, filter, { cursor, limit });
    return MessagePageResponse.from(page, await this.hiddenFrom(caller));
  }

  /** Counts messages by status, and how many were opened and clicked. Whose messages: as with the list. */
  @Get('aggregate')
  @OperationId('aggregateMessages')
  @RequireScopeOrSession('read_events')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageTotalsResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async aggregate(
    @CurrentCaller() caller: Caller,
    @Query() query: AggregateMessagesDto,
  ): Promise<MessageTotalsResponse> {
    const { subject = null, campaignId = null } = query;
    const filter = { ...toMessageFilter(caller, query), subject, campaignId };
    return MessageTotalsResponse.from(await this.messages.totals(caller.accountId, filter));
  }

  /** One message with its timeline. Whose messages: as with the list. */
  @Get(':id')
  @RequireScopeOrSession('read_events')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageDetailResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<MessageDetailResponse> {
    const message = await this.messages.withTimeline(caller.accountId, id, keyOf(caller));
    return MessageDetailResponse.of(message, caller, await this.hiddenFrom(caller));
  }

  /** What a message said, as it was accepted. Contents are kept for a shorter time than messages. */
  @Get(':id/content')
  @OperationId('getMessageContent')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageContentResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async content(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<MessageContentResponse> {
    return MessageContentResponse.from(await this.messages.content(accountId, id));
  }

  private async hiddenFrom(caller: Caller): Promise<HiddenHosts> {
    return caller.kind === 'key' ? this.relays.of(caller.accountId) : null;
  }
}
