import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiInternalServerErrorResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { ManageDomains } from '../application/manage-domains.service.js';
import { VerifyDomain } from '../application/verify-domain.service.js';
import { DomainPageResponse, DomainResponse } from './domain.response.js';
import { CreateDomainDto } from './dto/create-domain.dto.js';

const SET_UP_FAILED = 'SES refused to set the domain up, or was away (`Provider error: …`); nothing has changed';
const STANDS_IN_SES = 'SES has the name already, and accounts share the credentials of the process';
const NAME_TAKEN =
  'The account already has the domain, another account of the installation has verified it, the account has 50 unverified ' +
  `domains, or ${STANDS_IN_SES}`;

@Controller('api/domains')
@ApiTags('Domains')
export class DomainsController {
  constructor(
    private readonly domains: ManageDomains,
    private readonly verifyDomain: VerifyDomain,
  ) {}

  /** Lists the account's domains, newest first. */
  @Get()
  @Session()
  @ApiOkResponse({ type: DomainPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<DomainPageResponse> {
    return DomainPageResponse.from(await this.domains.list(accountId, page));
  }

  /** Adds a domain and says which DNS records to publish. They are looked for every five minutes, later every hour. */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: DomainResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: NAME_TAKEN })
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: SET_UP_FAILED })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() { name }: CreateDomainDto,
  ): Promise<DomainResponse> {
    return DomainResponse.from(await this.domains.create(accountId, name));
  }

  /** One domain. */
  @Get(':id')
  @Session()
  @ApiOkResponse({ type: DomainResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<DomainResponse> {
    return DomainResponse.from(await this.domains.get(accountId, id));
  }

  /**
   * Looks for the records now. A verified check that is missed stays verified until it is missed again a day later. If the
   * account's provider has changed since, the domain is set up for the present one first and begins as pending.
   */
  @Post(':id/verify')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: DomainResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: STANDS_IN_SES })
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: SET_UP_FAILED })
  async verify(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<DomainResponse> {
    return DomainResponse.from(await this.verifyDomain.verify(accountId, id));
  }

  /** Removes a domain: later sends from its addresses are refused, unless they are verified senders. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: DomainResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<DomainResponse> {
    return DomainResponse.from(await this.domains.remove(accountId, id));
  }
}
