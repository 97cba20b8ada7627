import { Controller, Get, HttpCode, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiBadRequestResponse, ApiBody, ApiOkResponse, ApiPayloadTooLargeResponse, ApiTags } from '@nestjs/swagger';

import { MAX_SUPPRESSION_FILE_MB } from '../../../config/limits.js';
import { ApiCsvDownload, CsvDownloads } from '../../../platform/csv/csv-downloads.js';
import { Session } from '../../../platform/http/access/access.js';
import { actorOf, CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { BodyText, StreamedBody } from '../../../platform/http/streamed-body.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { listedAccountId } from '../../../shared/test-account.js';
import { ImportSuppressions } from '../application/import-suppressions.service.js';
import { ManageSuppressions } from '../application/manage-suppressions.service.js';
import type { Suppression } from '../domain/suppression.js';
import { FilterSuppressionsDto } from './dto/list-suppressions.dto.js';
import { readImportRows } from './read-import-rows.js';
import { SuppressionImportResponse } from './suppression-import.response.js';
import { SuppressionResponse } from './suppression.response.js';

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
   * Suppresses the addresses of a CSV of at most 10 MB. They are in the column `address`, `email` or `phone`, or else
   * in the first one; with a header, `reason` (default `manual`) and `note` are read too. Valid rows are written even
   * if others fail. If the upload is interrupted or the file is not valid CSV, earlier rows may have been written;
   * importing the file again adds the rest.
   */
  @Post('import')
  @OperationId('importSuppressions')
  @HttpCode(200)
  @Session('admin')
  @StreamedBody('text/csv')
  @ApiBody({ schema: { type: 'string' }, description: 'In UTF-8' })
  @ApiOkResponse({ type: SuppressionImportResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'Not valid CSV; the message names the line' })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  @ApiErrors({ too_large: 'The body is larger than 10 MB' })
  async import(
    @CurrentCaller() caller: SessionCaller,
    @BodyText(MAX_SUPPRESSION_FILE_MB) csv: AsyncIterable<string>,
  ): Promise<SuppressionImportResponse> {
    const rows = readImportRows(csv);
    return SuppressionImportResponse.from(
      await this.importSuppressions.import(caller.accountId, rows, actorOf(caller)),
    );
  }

  /**
   * Exports suppressions as CSV with the columns address, channel, reason, source, note, createdAt, oldest first,
   * without erased addresses. Takes the filters of the list. A cell that a spreadsheet would interpret as a formula,
   * such as a phone number, is prefixed with an apostrophe.
   */
  @Get('export')
  @OperationId('exportSuppressions')
  @Session()
  @ApiCsvDownload()
  @ApiBadRequestResponse({ type: ErrorResponse })
  async export(
    @CurrentCaller() { accountId }: SessionCaller,
    @Query() { search, channel, reason, test }: FilterSuppressionsDto,
  ): Promise<StreamableFile> {
    const owner = listedAccountId(accountId, { test });
    const batches = toRows(this.suppressions.listAll(owner, { search, channel, reason }));
    return this.csvDownloads.stream(accountId, { filename: 'suppressions.csv', columns: COLUMNS, batches });
  }
}

async function* toRows(batches: AsyncIterable<Suppression[]>): AsyncGenerator<object[], void> {
  for await (const batch of batches) yield batch.map((suppression) => SuppressionResponse.from(suppression));
}
