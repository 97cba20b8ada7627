import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { RequireScopeOrSession } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { ManageLists } from '../application/manage-lists.service.js';
import { WriteListDto } from './dto/write-list.dto.js';
import { ListPageResponse, ListResponse } from './list.response.js';

const NOT_ADDED = {
  type: ErrorResponse,
  description: 'Another list of the account has this name, or the account has 1,000 lists',
};
const TAKEN = { type: ErrorResponse, description: 'Another list of the account has this name' };

@Controller('api/lists')
@ApiTags('Contacts')
export class ListsController {
  constructor(private readonly lists: ManageLists) {}

  /** Creates a list that contacts can be added to. */
  @Post()
  @RequireScopeOrSession('contacts:write', 'admin')
  @ApiCreatedResponse({ type: ListResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse(NOT_ADDED)
  @ApiErrors({ conflict: 'A list with the name Newsletter exists already' })
  async create(@CurrentCaller() { accountId }: Caller, @Body() { name }: WriteListDto): Promise<ListResponse> {
    return ListResponse.from(await this.lists.create(accountId, name));
  }

  /** Lists the account's lists, newest first. */
  @Get()
  @RequireScopeOrSession('contacts:read')
  @ApiOkResponse({ type: ListPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: Caller, @Query() page: PageDto): Promise<ListPageResponse> {
    return ListPageResponse.from(await this.lists.list(accountId, page));
  }

  /** Renames a list. */
  @Patch(':id')
  @RequireScopeOrSession('contacts:write', 'admin')
  @ApiOkResponse({ type: ListResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse(TAKEN)
  @ApiErrors({ conflict: 'A list with the name Newsletter exists already' })
  async rename(
    @CurrentCaller() { accountId }: Caller,
    @Param('id') id: string,
    @Body() { name }: WriteListDto,
  ): Promise<ListResponse> {
    return ListResponse.from(await this.lists.rename(accountId, id, name));
  }

  /** Deletes a list. Its contacts are kept. */
  @Delete(':id')
  @RequireScopeOrSession('contacts:write', 'admin')
  @ApiOkResponse({ type: ListResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: Caller, @Param('id') id: string): Promise<ListResponse> {
    return ListResponse.from(await this.lists.remove(accountId, id));
  }
}
