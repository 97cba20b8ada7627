import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { RequireScopeOrSession, Session } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { ReadMessages } from '../application/read-messages.service.js';
import { listedAccount, withAccountOf } from './account-of-caller.js';
import { AggregateMessagesDto, ListMessagesDto } from './dto/message-filters.dto.js';
import { MessageTotalsResponse } from './message-totals.response.js';
import {
  type HiddenHosts,
  MessageContentResponse,
  MessageDetailResponse,
  MessagePageResponse,
} from './message.response.js';
import { keyOf, toMessageFilter } from './to-message-filter.js';

@Controller('api/messages')
@ApiTags('Messages')
export class MessagesController {
  constructor(
    private readonly messages: ReadMessages,
    private readonly providers: ProviderDirectory,
  ) {}

  /**
   * Lists messages, newest first. A key sees the messages that it sent, a session all messages of the account: the live
   * ones or, with `test=true`, the test ones. A page may have fewer items than `limit`, even none, and still a
   * `nextCursor`: the list ends when that is null.
   */
  @Get()
  @RequireScopeOrSession('read_events')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessagePageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() caller: Caller, @Query() query: ListMessagesDto): Promise<MessagePageResponse> {
    const { cursor, limit } = query;
    const filter = toMessageFilter(caller, query);
    const page = await this.messages.page(listedAccount(caller, query), filter, { cursor, limit });
    return MessagePageResponse.from(page, caller, await this.hiddenFrom(caller));
  }

  /** Counts messages by status, and how many were opened and clicked. Same visibility as the list endpoint. */
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
    return MessageTotalsResponse.from(await this.messages.totals(listedAccount(caller, query), filter));
  }

  /** Returns one message with its timeline. Same visibility as the list endpoint. */
  @Get(':id')
  @RequireScopeOrSession('read_events')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageDetailResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<MessageDetailResponse> {
    const message = await withAccountOf(caller, (accountId) =>
      this.messages.withTimeline(accountId, id, keyOf(caller)),
    );
    return MessageDetailResponse.fromDetail(message, caller, await this.hiddenFrom(caller));
  }

  /** Returns the content of a message as it was accepted. Contents may be kept for a shorter time than messages. */
  @Get(':id/content')
  @OperationId('getMessageContent')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageContentResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async content(@CurrentCaller() caller: SessionCaller, @Param('id') id: string): Promise<MessageContentResponse> {
    const content = await withAccountOf(caller, (accountId) => this.messages.content(accountId, id));
    return MessageContentResponse.from(content);
  }

  /** The relay's host names, which API keys must not see. */
  private async hiddenFrom(caller: Caller): Promise<HiddenHosts> {
    return caller.kind === 'key' ? this.providers.relayHosts(caller.accountId) : null;
  }
}
