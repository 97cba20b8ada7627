import { Controller, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ControlCampaigns } from '../application/control-campaigns.service.js';
import { FindMissingValues } from '../application/find-missing-values.service.js';
import { ReadCampaigns } from '../application/read-campaigns.service.js';
import { RetryFailed } from '../application/retry-failed.service.js';
import { CampaignResponse, StartedCampaignResponse } from './campaign.response.js';
import { MissingValueResponse, MissingValuesResponse } from './missing-values.response.js';

@Controller('api/campaigns')
@ApiTags('Campaigns')
export class CampaignActionsController {
  constructor(
    private readonly campaigns: ControlCampaigns,
    private readonly retryFailed: RetryFailed,
    private readonly missingValues: FindMissingValues,
    private readonly reader: ReadCampaigns,
  ) {}

  /**
   * Starts a draft: at once, or, if it has a time, then. Refused with 400 if the audience has no recipients or more
   * than 1,000,000, if the sender is not verified, or if the content lacks {{unsubscribeUrl}}. `missingValues` warns of
   * placeholders that render empty. Repeating the request returns the same answer.
   */
  @Post(':id/start')
  @OperationId('startCampaign')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: StartedCampaignResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The campaign has ended or is paused, or 10 are running' })
  @ApiErrors({ sender_not_verified: true, template_fault: true, conflict: 'Campaign is canceled' })
  async start(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<StartedCampaignResponse> {
    // Before the start: whoever gets an error has started nothing.
    const missing = await this.missingValues.find(accountId, id);
    await this.campaigns.start(accountId, id);
    const missingValues = missing.map((value) => MissingValueResponse.from(value));
    return { ...(await this.show(accountId, id)), missingValues };
  }

  /**
   * Returns the placeholders that neither `variables` nor all active contacts of the audience fill: they render empty.
   * Placeholders in a section count if the section is shown for a contact of whom only the address is known.
   */
  @Get(':id/missing-values')
  @OperationId('getCampaignMissingValues')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MissingValuesResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'The content cannot be rendered' })
  @ApiErrors({ template_fault: 'templateId: template not found' })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async findMissingValues(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<MissingValuesResponse> {
    return MissingValuesResponse.from(await this.missingValues.find(accountId, id));
  }

  /** Pauses a running campaign within two seconds. Repeating the request returns the same answer. */
  @Post(':id/pause')
  @OperationId('pauseCampaign')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: CampaignResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The campaign is neither running nor paused' })
  @ApiErrors({ conflict: 'Campaign is draft' })
  async pause(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<CampaignResponse> {
    await this.campaigns.pause(accountId, id);
    return this.show(accountId, id);
  }

  /**
   * Continues a paused campaign where it stopped. Refused with 400 if its sender is not verified. Repeating the request
   * returns the same answer.
   */
  @Post(':id/resume')
  @OperationId('resumeCampaign')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: CampaignResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The campaign is not paused, or 10 are running' })
  @ApiErrors({ sender_not_verified: true, conflict: 'Campaign is completed' })
  async resume(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<CampaignResponse> {
    await this.campaigns.resume(accountId, id);
    return this.show(accountId, id);
  }

  /**
   * Ends a scheduled, running or paused campaign for good, within two seconds. Recipients who wait get nothing.
   * Repeating the request returns the same answer.
   */
  @Post(':id/cancel')
  @OperationId('cancelCampaign')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: CampaignResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The campaign is a draft or completed' })
  @ApiErrors({ conflict: 'Campaign is completed' })
  async cancel(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<CampaignResponse> {
    await this.campaigns.cancel(accountId, id);
    return this.show(accountId, id);
  }

  /**
   * Sends another message, under a new id, to each recipient whose message `failed`. A completed campaign runs again
   * until these are final.
   */
  @Post(':id/retry-failed')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: CampaignResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The campaign has not started, or 10 are running' })
  @ApiErrors({ sender_not_verified: true, conflict: 'Campaign is draft' })
  async retryFailedRecipients(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<CampaignResponse> {
    await this.retryFailed.retry(accountId, id);
    return this.show(accountId, id);
  }

  private async show(accountId: string, id: string): Promise<CampaignResponse> {
    return CampaignResponse.from(await this.reader.getWithStats(accountId, id));
  }
}
