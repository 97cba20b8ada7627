import { Controller, Get, Header, HttpStatus, Post, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiInternalServerErrorResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ForceOptOutSync } from '../application/force-opt-out-sync.service.js';
import { OptOutSyncResponse, OptOutSyncStateResponse } from './opt-out-sync.response.js';

@Controller('api/sms')
@ApiTags('SMS')
export class OptOutsController {
  constructor(private readonly forceOptOutSync: ForceOptOutSync) {}

  /**
   * Reads the provider's opt-out list now instead of within 15 minutes. Numbers on it are suppressed (`sms_opt_out`,
   * `sms_sync`); suppressions that only a sync added are lifted once their numbers are no longer listed. Concurrent
   * calls share one sync and its result. A number that opts out during a sync may be missed by it and is found by the
   * next one. A page of 100 numbers takes one second. If the list takes more than 8 seconds, the answer is 202 with the
   * progress so far and `syncedAt: null`, and the sync continues; if no page could be read in that time, it is 500.
   *
   * Only Amazon SNS has such a list. Other providers report each opt-out when it occurs: for them, the answer is 400.
   */
  @Post('sync-optouts')
  @OperationId('syncOptOuts')
  @Session('admin')
  @ApiOkResponse({ type: OptOutSyncResponse, description: 'The list was read completely' })
  @ApiAcceptedResponse({ type: OptOutSyncResponse, description: 'The sync continues; this is its progress so far' })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description: 'SMS is not enabled, or its provider has no opt-out list',
  })
  @ApiInternalServerErrorResponse({
    type: ErrorResponse,
    description: '`Provider error: …`: the list could not be read',
  })
  @ApiErrors({ provider_error: 'Provider error: no page of the opt-out list was read within 8 seconds' })
  async sync(
    @CurrentCaller() { accountId }: SessionCaller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OptOutSyncResponse> {
    const { sync, isComplete } = await this.forceOptOutSync.sync(accountId);
    response.status(isComplete ? HttpStatus.OK : HttpStatus.ACCEPTED);
    return OptOutSyncResponse.from(sync);
  }

  /** Gets the progress of the running opt-out sync, or the result of the last one, and its last error. */
  @Get('sync-optouts')
  @OperationId('getOptOutSync')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: OptOutSyncStateResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller): Promise<OptOutSyncStateResponse> {
    return OptOutSyncStateResponse.from(await this.forceOptOutSync.find(accountId));
  }
}
