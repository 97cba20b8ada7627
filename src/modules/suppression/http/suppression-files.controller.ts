import { Controller, Get, HttpCode, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiBadRequestResponse, ApiBody, ApiOkResponse, ApiPayloadTooLargeResponse, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { CsvDownloads } from '../../../platform/http/csv-downloads.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { BodyText, StreamedBody } from '../../../platform/http/streamed-body.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ImportSuppressions } from '../application/import-suppressions.service.js';
import { ManageSuppressions } from '../application/manage-suppressions.service.js';
import { readCsv } from './read-csv.js';
import { FilterSuppressionsDto } from './dto/list-suppressions.dto.js';
import { SuppressionImportResponse } from './suppression-import.response.js';

const MAX_IMPORT_MB = 10;
const COLUMNS = ['address', 'channel', 'reason', 'source', 'note', 'createdAt'];

@Controller('api/suppressions')
@ApiTags('Suppressions')
export class SuppressionFilesController {
  constructor(
    private readonly importSuppressions: ImportSuppressions,
    private readonly suppressions: ManageSuppressions,
    private readonly csvDownloads: CsvDownloads,
  ) {}

  /**
   * Suppresses the addresses of a CSV of at most 10 MB: the column `address`, `email` or `phone`, else the first; with a
   * header also `reason` (default `manual`) and `note`. Valid rows are written although others fail. When the file breaks
   * off or breaks the rules of CSV, rows before that may have been written; importing it again adds the rest.
   */
  @Post('import')
  @OperationId('importSuppressions')
  @HttpCode(200)
  @Session('admin')
  @StreamedBody('text/csv')
  @ApiBody({ schema: { type: 'string' }, description: 'In UTF-8' })
  @ApiOkResponse({ type: SuppressionImportResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'Not CSV; the message says the line' })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  async import(
    @CurrentCaller() { accountId }: SessionCaller,
    @BodyText(MAX_IMPORT_MB) csv: AsyncIterable<string>,
  ): Promise<SuppressionImportResponse> {
    return SuppressionImportResponse.from(await this.importSuppressions.import(accountId, readCsv(csv)));
  }

  /**
   * Exports suppressions as CSV with the columns address, channel, reason, source, note, createdAt, oldest first,
   * without erased addresses. Takes the filters of the list. A cell that a spreadsheet would interpret as a formula,
   * such as a phone number, is prefixed with an apostrophe.
   */
  @Get('export')
  @OperationId('exportSuppressions')
  @Session()
  @ApiOkResponse({ content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async export(
    @CurrentCaller() { accountId }: SessionCaller,
    @Query() { search, channel, reason }: FilterSuppressionsDto,
  ): Promise<StreamableFile> {
    const batches = this.suppressions.listAll(accountId, { search, channel, reason });
    return this.csvDownloads.of(accountId, { filename: 'suppressions.csv', columns: COLUMNS, batches });
  }
}
