import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ManageImports } from '../application/manage-imports.service.js';
import { ImportResponse } from './import.response.js';

@Controller('api/imports')
@ApiTags('Contacts')
export class ImportsController {
  constructor(private readonly manageImports: ManageImports) {}

  /** Returns the progress of a CSV import. It is kept for 30 days after the import has finished. */
  @Get(':id')
  @OperationId('getContactImport')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: ImportResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<ImportResponse> {
    return ImportResponse.from(await this.manageImports.get(accountId, id));
  }
}
