import { Body, Controller, Delete, Get, HttpStatus, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';

import { RequireScopeOrSession, Session } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { listedAccountId } from '../../../shared/test-account.js';
import { inEitherAccount } from '../../messages/index.js';
import { ManageSuppressions } from '../application/manage-suppressions.service.js';
import { CreateSuppressionDto } from './dto/create-suppression.dto.js';
import { DeleteSuppressionDto } from './dto/delete-suppression.dto.js';
import { GetSuppressionDto, ListSuppressionsDto } from './dto/list-suppressions.dto.js';
import { SuppressionPageResponse, SuppressionResponse } from './suppression.response.js';

@Controller('api/suppressions')
@ApiTags('Suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: ManageSuppressions) {}

  /**
   * Suppresses an address: sends to any spelling of it are refused until the entry is deleted. Answers 200 with the
   * existing entry if the address is suppressed already.
   */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: SuppressionResponse })
  @ApiBody({
    type: CreateSuppressionDto,
    examples: {
      email: { value: { email: 'ada@example.com', note: 'Asked by phone on Monday' } },
      phone: { value: { phone: '+14155550100' } },
    },
  })
  @ApiOkResponse({ type: SuppressionResponse, description: 'The existing entry' })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() body: CreateSuppressionDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuppressionResponse> {
    const { suppression, added } = await this.suppressions.suppress(accountId, body);
    response.status(added ? HttpStatus.CREATED : HttpStatus.OK);
    return SuppressionResponse.from(suppression);
  }

  /**
   * Lists the account's suppressions, newest first: those of live sends or, with `test=true`, those of test keys. A
   * test key reads those of test keys.
   */
  @Get()
  @RequireScopeOrSession('contacts:read')
  @ApiOkResponse({ type: SuppressionPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(
    @CurrentCaller() { kind, accountId }: Caller,
    @Query() { search, address, channel, reason, test, ...page }: ListSuppressionsDto,
  ): Promise<SuppressionPageResponse> {
    const owner = kind === 'key' ? accountId : listedAccountId(accountId, { test });
    const filter = { search, channel, reason };
    return SuppressionPageResponse.from(
      address === undefined
        ? await this.suppressions.list(owner, filter, page)
        : await this.suppressions.listForAddress(owner, address, filter, page),
    );
  }

  /** Returns an entry: one of live sends or, with `test=true`, one of test keys. */
  @Get(':id')
  @Session()
  @ApiOkResponse({ type: SuppressionResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Query() query: GetSuppressionDto,
  ): Promise<SuppressionResponse> {
    return SuppressionResponse.from(await this.suppressions.get(listedAccountId(accountId, query), id));
  }

  /**
   * Deletes an entry, of live sends or of test keys, so that its address can be sent to again. With `reason` or
   * `source`, only if the entry still has them and its address: a recipient's own opt-out or complaint replaces those
   * of an operator, and the erasure of the contact keeps its address blocked.
   */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: SuppressionResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({
    type: ErrorResponse,
    description: 'It has another reason or source by now, or its contact was erased; it is kept',
  })
  @ApiErrors({ conflict: 'The suppression has reason complained and source provider now, so it is kept' })
  async remove(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Query() expected: DeleteSuppressionDto,
  ): Promise<SuppressionResponse> {
    const remove = (owner: string) => this.suppressions.remove(owner, id, expected);
    return SuppressionResponse.from(await inEitherAccount(accountId, remove));
  }
}
