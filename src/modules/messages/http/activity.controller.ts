import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import { MessageListVersion } from '../application/message-list-version.service.js';
import { ShowActivity } from '../application/show-activity.service.js';
import { listedAccount } from './account-of-caller.js';
import { ActivityResponse, MessagesVersionResponse, UsageResponse } from './activity.response.js';
import { ShowActivityDto } from './dto/message-filters.dto.js';

@Controller('api')
@ApiTags('Messages')
export class ActivityController {
  constructor(
    private readonly activity: ShowActivity,
    private readonly versions: MessageListVersion,
  ) {}

  /**
   * Returns the results of the messages accepted in a period, by hour or by day, and the current size of the queue. A
   * message counts in the hour or day of its acceptance, with its current status.
   */
  @Get('overview')
  @OperationId('getOverview')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: ActivityResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async overview(@CurrentCaller() caller: SessionCaller, @Query() query: ShowActivityDto): Promise<ActivityResponse> {
    return ActivityResponse.from(await this.activity.forAccount(listedAccount(caller, query), query.period));
  }

  /**
   * Returns a text that differs from the previous one if messages, live or test, were accepted or got a result
   * meanwhile. A client that shows messages polls this and loads them again when it changes. Messages older than a week
   * are not covered.
   */
  @Get('messages/version')
  @OperationId('getMessagesVersion')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessagesVersionResponse })
  async version(@CurrentCaller() { accountId }: SessionCaller): Promise<MessagesVersionResponse> {
    const versions = await Promise.all([accountId, testAccountIdOf(accountId)].map((id) => this.versions.get(id)));
    return { version: versions.join('') };
  }

  /** Returns today's usage of the daily caps, of the account and of each key. */
  @Get('usage')
  @OperationId('getUsage')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: UsageResponse })
  async usage(@CurrentCaller() { accountId }: SessionCaller): Promise<UsageResponse> {
    return UsageResponse.from(await this.activity.usage(accountId));
  }
}
