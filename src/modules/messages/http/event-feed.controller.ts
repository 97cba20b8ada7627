import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';

import { RequireScopeOrSession } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller } from '../../../platform/http/access/caller.js';
import { type AccessCheck, RecheckAccess } from '../../../platform/http/access/recheck-access.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ClientLeaves } from '../../../platform/http/client-leaves.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { LimitsItsReads } from '../../../platform/http/limit-reads.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ReadLimiter } from '../../../platform/http/read-limiter.js';
import { RequestsInFlight } from '../../../platform/metrics/requests-in-flight.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { WAITS_PER_ACCOUNT } from '../../../config/limits.js';
import { FollowEvents } from '../application/follow-events.service.js';
import { listedAccount } from './account-of-caller.js';
import { FollowEventsDto } from './dto/follow-events.dto.js';
import { EventFeedResponse } from './event-feed.response.js';
import { keyOf } from './to-message-filter.js';

@Controller('api/messages')
@ApiTags('Messages')
export class EventFeedController {
  constructor(
    private readonly events: FollowEvents,
    private readonly reads: ReadLimiter,
    private readonly inFlight: RequestsInFlight,
    private readonly providers: ProviderDirectory,
  ) {}

  /**
   * Returns the events of messages in an order to which new ones are only appended: a client that goes on with
   * `nextCursor` sees each event once and misses none, whatever is recorded at the same time. Same visibility as the
   * list endpoint. With `wait`, an empty response is held until there is an event. A response may have fewer items than
   * `limit`, even none, although more follow; the feed has no last page.
   */
  @Get('events')
  @OperationId('listMessageEvents')
  @RequireScopeOrSession('read_events')
  @LimitsItsReads()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: EventFeedResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiTooManyRequestsResponse({
    type: ErrorResponse,
    description: `${WAITS_PER_ACCOUNT} requests of the account are already waiting for events`,
  })
  @ApiErrors({ rate_limited: `${WAITS_PER_ACCOUNT} requests of this account are already waiting for events` })
  async follow(
    @CurrentCaller() caller: Caller,
    @Query() query: FollowEventsDto,
    @ClientLeaves() signal: AbortSignal,
    @RecheckAccess() recheck: AccessCheck,
  ): Promise<EventFeedResponse> {
    const { after = null, limit, types = null, wait } = query;
    const accountId = listedAccount(caller, query);
    const page = await this.events.page(
      accountId,
      { apiKeyId: keyOf(caller), types },
      { after, limit, waitMs: wait * 1_000 },
      {
        read: (work, hasWaited) =>
          hasWaited ? this.reads.runAfterWait(accountId, work) : this.reads.run(accountId, work, signal),
        pause: () => this.inFlight.wait(),
        recheck: () => this.reads.runAfterWait(accountId, recheck),
        signal,
      },
    );
    const hasHidden = caller.kind === 'key' && page.items.length > 0;
    return EventFeedResponse.from(page, hasHidden ? await this.providers.relayHosts(accountId) : null);
  }
}
