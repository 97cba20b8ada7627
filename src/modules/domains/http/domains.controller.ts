import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiInternalServerErrorResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { LookUpRecords } from '../application/look-up-records.service.js';
import { ManageDomains } from '../application/manage-domains.service.js';
import { VerifyDomain } from '../application/verify-domain.service.js';
import { DomainPageResponse, DomainResponse, PublishedRecordsResponse } from './domain.response.js';
import { CreateDomainDto } from './dto/create-domain.dto.js';

const SET_UP_FAILED =
  'SES refused to register the domain or could not be reached (`Provider error: …`); nothing has changed';
const EXISTS_IN_SES = 'SES already has an identity of this name, and accounts share the credentials of the process';
const TOO_MANY_CHECKS = 'The account has checked its domains 60 times in this minute';
const CHECKED_TOO_OFTEN = 'An account can check its domains 60 times a minute';
const NAME_TAKEN =
  'The account already has the domain, another account of the installation has verified it, the account has 500 ' +
  `domains or 50 unverified ones, or ${EXISTS_IN_SES}`;

@Controller('api/domains')
@ApiTags('Domains')
export class DomainsController {
  constructor(
    private readonly domains: ManageDomains,
    private readonly verifyDomain: VerifyDomain,
    private readonly lookUpRecords: LookUpRecords,
  ) {}

  /** Lists the account's domains, newest first. */
  @Get()
  @Session()
  @ApiOkResponse({ type: DomainPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<DomainPageResponse> {
    return DomainPageResponse.from(await this.domains.list(accountId, page));
  }

  /**
   * Adds a domain and returns the DNS records to publish. The service checks them every five minutes for six hours,
   * then every hour.
   */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: DomainResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: NAME_TAKEN })
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: SET_UP_FAILED })
  @ApiErrors({ conflict: 'example.com is already a domain of this account', provider_error: true })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() { name }: CreateDomainDto,
  ): Promise<DomainResponse> {
    return DomainResponse.from(await this.domains.create(accountId, name));
  }

  /** Gets a domain. */
  @Get(':id')
  @Session()
  @ApiOkResponse({ type: DomainResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<DomainResponse> {
    return DomainResponse.from(await this.domains.get(accountId, id));
  }

  /** Looks up what DNS has now at the names of the domain's records. The checks of the domain stay as they are. */
  @Get(':id/published-records')
  @OperationId('getPublishedRecords')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: PublishedRecordsResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiTooManyRequestsResponse({ type: ErrorResponse, description: TOO_MANY_CHECKS })
  @ApiErrors({ rate_limited: CHECKED_TOO_OFTEN })
  async published(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<PublishedRecordsResponse> {
    const { checkedAt, records } = await this.lookUpRecords.lookUp(accountId, id);
    return PublishedRecordsResponse.from(checkedAt, records);
  }

  /**
   * Checks the records now. A verified check stays verified if its record is missing once, and fails if it is still
   * missing a day later. If the account's provider has changed, the domain is first registered with the new provider,
   * and all its checks are pending again.
   */
  @Post(':id/verify')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: DomainResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: EXISTS_IN_SES })
  @ApiTooManyRequestsResponse({ type: ErrorResponse, description: TOO_MANY_CHECKS })
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: SET_UP_FAILED })
  @ApiErrors({
    conflict: 'example.com is already an identity in SES; remove it there first',
    rate_limited: CHECKED_TOO_OFTEN,
    provider_error: true,
  })
  async verify(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<DomainResponse> {
    return DomainResponse.from(await this.verifyDomain.verify(accountId, id));
  }

  /** Deletes a domain. Later messages from its addresses are refused unless they are verified senders. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: DomainResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<DomainResponse> {
    return DomainResponse.from(await this.domains.remove(accountId, id));
  }
}
