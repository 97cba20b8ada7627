import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { holdingBody, TakesUpTo } from '../../../platform/http/large-body/large-body.reader.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { CountAudience } from '../application/count-audience.service.js';
import { ManageCampaigns } from '../application/manage-campaigns.service.js';
import { ReadCampaigns } from '../application/read-campaigns.service.js';
import { ReadRecipients } from '../application/read-recipients.service.js';
import { ShowCampaignActivity } from '../application/show-campaign-activity.service.js';
import { TestCampaign } from '../application/test-campaign.service.js';
import { CampaignActivityResponse } from './campaign-activity.response.js';
import {
  CampaignAudienceCountResponse,
  CampaignRecipientPageResponse,
  CampaignTestResponse,
} from './campaign-recipients.response.js';
import { CampaignPageResponse, CampaignResponse } from './campaign.response.js';
import { ListCampaignRecipientsDto, ListCampaignsDto, ShowCampaignActivityDto } from './dto/list-campaigns.dto.js';
import { TestCampaignDto } from './dto/test-campaign.dto.js';
import { ChangeCampaignDto, CreateCampaignDto } from './dto/write-campaign.dto.js';
import { toChanges, toPlan } from './to-campaign-plan.js';

/** Fits two bodies of 500,000 mostly ASCII characters, including JSON escapes. */
const MAX_REQUEST_MB = 4;

const TOO_MANY = { type: ErrorResponse, description: 'The account has 5,000 campaigns, ended ones included' };

@Controller('api/campaigns')
@ApiTags('Campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: ManageCampaigns,
    private readonly reader: ReadCampaigns,
    private readonly recipients: ReadRecipients,
    private readonly countAudience: CountAudience,
    private readonly testCampaign: TestCampaign,
    private readonly showActivity: ShowCampaignActivity,
  ) {}

  /** Creates a campaign as a draft. Nothing is sent until it is started. */
  @Post()
  @Session('admin')
  @TakesUpTo(MAX_REQUEST_MB)
  @ApiCreatedResponse({ type: CampaignResponse })
  @ApiConflictResponse(TOO_MANY)
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  @ApiErrors({ conflict: 'An account has at most 5000 campaigns', template_fault: true })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() body: CreateCampaignDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CampaignResponse> {
    const { id } = await holdingBody(response, () => this.campaigns.create(accountId, toPlan(body)));
    return this.show(accountId, id);
  }

  /** Lists the account's campaigns, newest first. */
  @Get()
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: CampaignPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(
    @CurrentCaller() { accountId }: SessionCaller,
    @Query() { search, status, topicId, ...page }: ListCampaignsDto,
  ): Promise<CampaignPageResponse> {
    return CampaignPageResponse.from(await this.reader.list(accountId, { search, statuses: status, topicId }, page));
  }

  /** Returns one campaign with its progress and statistics. */
  @Get(':id')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: CampaignResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<CampaignResponse> {
    return this.show(accountId, id);
  }

  /**
   * Updates a campaign that has not started. A scheduled campaign is checked as at its start; without a time it is a
   * draft again.
   */
  @Patch(':id')
  @Session('admin')
  @TakesUpTo(MAX_REQUEST_MB)
  @ApiOkResponse({ type: CampaignResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The campaign has started' })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  @ApiErrors({ conflict: 'Campaign is running', template_fault: true, sender_not_verified: true })
  async change(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() body: ChangeCampaignDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CampaignResponse> {
    await holdingBody(response, () => this.campaigns.change(accountId, id, toChanges(body)));
    return this.show(accountId, id);
  }

  /** Deletes a campaign that is not under way. Its messages stay. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: CampaignResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The campaign is running or paused' })
  @ApiErrors({ conflict: 'Campaign is running' })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<CampaignResponse> {
    return CampaignResponse.from(await this.reader.withStats(await this.campaigns.remove(accountId, id)));
  }

  /** Creates a draft with the content and audience of a campaign, in any status, and no schedule. */
  @Post(':id/copy')
  @Session('admin')
  @ApiCreatedResponse({ type: CampaignResponse })
  @ApiConflictResponse(TOO_MANY)
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiErrors({ conflict: 'An account has at most 5000 campaigns' })
  async copy(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<CampaignResponse> {
    return this.show(accountId, (await this.campaigns.copy(accountId, id)).id);
  }

  /** Counts the contacts that the audience of a campaign selects now. */
  @Get(':id/audience')
  @OperationId('getCampaignAudience')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: CampaignAudienceCountResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async audience(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<CampaignAudienceCountResponse> {
    return this.countAudience.count(accountId, id);
  }

  /**
   * Sends the content of a campaign to a few addresses. These messages are subject to all rules of sends and count
   * towards the account's daily cap; they are not part of the campaign.
   */
  @Post(':id/test')
  @OperationId('testCampaign')
  @Session('admin')
  @ApiCreatedResponse({ type: CampaignTestResponse })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description: 'Invalid payload, suppressed recipient, unverified sender',
  })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiTooManyRequestsResponse({ type: ErrorResponse, description: 'The account has reached its daily cap' })
  @ApiErrors({
    suppressed: true,
    unsubscribed_from_topic: true,
    sender_not_verified: true,
    template_fault: true,
    daily_limit: true,
  })
  async test(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() { to }: TestCampaignDto,
  ): Promise<CampaignTestResponse> {
    const results = await this.testCampaign.send(accountId, id, to);
    return { queued: results.length, results };
  }

  /** Lists the recipients of a started campaign in the order in which they are sent to. */
  @Get(':id/recipients')
  @OperationId('listCampaignRecipients')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: CampaignRecipientPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async listRecipients(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Query() { outcome, cursor, limit }: ListCampaignRecipientsDto,
  ): Promise<CampaignRecipientPageResponse> {
    return CampaignRecipientPageResponse.from(await this.recipients.page(accountId, id, { outcome, cursor, limit }));
  }

  /**
   * Returns the submissions, deliveries, opens and clicks of a campaign over time, each in the hour or UTC day in which
   * it happened: the first 48 hours or 90 days after the start, or the last ones before the end of a campaign that
   * takes longer.
   */
  @Get(':id/activity')
  @OperationId('getCampaignActivity')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: CampaignActivityResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async activity(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Query() { interval }: ShowCampaignActivityDto,
  ): Promise<CampaignActivityResponse> {
    return CampaignActivityResponse.from(await this.showActivity.show(accountId, id, interval));
  }

  private async show(accountId: string, id: string): Promise<CampaignResponse> {
    return CampaignResponse.from(await this.reader.getWithStats(accountId, id));
  }
}
