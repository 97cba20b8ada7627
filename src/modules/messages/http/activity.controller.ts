import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ShowActivity } from '../application/show-activity.service.js';
import { ActivityResponse, UsageResponse } from './activity.response.js';
import { ShowActivityDto } from './dto/show-activity.dto.js';

@Controller('api')
@ApiTags('Messages')
export class ActivityController {
  constructor(private readonly activity: ShowActivity) {}

  /**
   * What became of the messages that the account accepted in a period, hour by hour or day by day, and how many wait now. A message
   * counts where it was accepted, with what is known of it by now.
   */
  @Get('overview')
  @OperationId('getOverview')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: ActivityResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async overview(
    @CurrentCaller() { accountId }: SessionCaller,
    @Query() { period }: ShowActivityDto,
  ): Promise<ActivityResponse> {
    return ActivityResponse.from(await this.activity.of(accountId, period));
  }

  /** What is used today of the daily caps, of the account and by each of its keys. */
  @Get('usage')
  @OperationId('getUsage')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: UsageResponse })
  async usage(@CurrentCaller() { accountId }: SessionCaller): Promise<UsageResponse> {
    return UsageResponse.from(await this.activity.usage(accountId));
  }
}
