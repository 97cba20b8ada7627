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
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ForceOptOutSync } from '../application/force-opt-out-sync.service.js';
import { OptOutSyncResponse, OptOutSyncStateResponse } from './opt-out-sync.response.js';

@Controller('api/sms')
@ApiTags('SMS')
export class OptOutsController {
  constructor(private readonly forceOptOutSync: ForceOptOutSync) {}

  /**
   * Reads the provider's opt-out list now instead of within 15 minutes: numbers on it are suppressed (`sms_opt_out`, `sms_sync`),
   * and those that only a sync suppressed and that are no longer on it are lifted. Of several syncs at once there is one, whose result all get: who opts
   * out while it is under way can be missing from what it has read already, and is found by the next one. A page
   * of 100 numbers takes a second: a list that takes more than 8 seconds is answered 202, with how far it has come, and read on.
   * Where no page could be read in that time the answer is 500.
   */
  @Post('sync-optouts')
  @OperationId('syncOptOuts')
  @Session('admin')
  @ApiOkResponse({ type: OptOutSyncResponse, description: 'The list was read to its end' })
  @ApiAcceptedResponse({ type: OptOutSyncResponse, description: 'The list is long and being read' })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'SMS is not enabled' })
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: 'Provider error: what it answered' })
  async sync(
    @CurrentCaller() { accountId }: SessionCaller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OptOutSyncResponse> {
    const { sync, isComplete } = await this.forceOptOutSync.sync(accountId);
    response.status(isComplete ? HttpStatus.OK : HttpStatus.ACCEPTED);
    return OptOutSyncResponse.from(sync);
  }

  /** How far the provider's opt-out list is read: the pass under way, or the last one; and why it could not be, if so. */
  @Get('sync-optouts')
  @OperationId('getOptOutSync')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: OptOutSyncStateResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller): Promise<OptOutSyncStateResponse> {
    return OptOutSyncStateResponse.from(await this.forceOptOutSync.find(accountId));
  }
}
