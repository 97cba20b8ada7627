import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { CsvDownloads } from '../../../platform/csv/csv-downloads.js';
import { RequireScopeOrSession } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { escapeFormula } from '../../../shared/text.js';
import { ExportContacts } from '../application/export-contacts.service.js';
import type { Contact } from '../domain/contact.js';
import { FilterContactsDto } from './dto/list-contacts.dto.js';

const COLUMNS = [
  'email',
  'firstName',
  'lastName',
  'company',
  'tags',
  'status',
  'listIds',
  'id',
  'createdAt',
  'updatedAt',
];

@Controller('api/contacts')
@ApiTags('Contacts')
export class ContactExportController {
  constructor(
    private readonly exportContacts: ExportContacts,
    private readonly csvDownloads: CsvDownloads,
  ) {}

  /**
   * Exports contacts as CSV in UTF-8, newest first, with `tags` and `listIds` separated by `;`. A cell that a
   * spreadsheet would interpret as a formula is prefixed with an apostrophe, which an import removes.
   */
  @Get('export.csv')
  @OperationId('exportContacts')
  @RequireScopeOrSession('contacts:read')
  @ApiOkResponse({ content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async export(
    @CurrentCaller() { accountId }: Caller,
    @Query() { search, status, tag, listId }: FilterContactsDto,
  ): Promise<StreamableFile> {
    const batches = toRows(this.exportContacts.export(accountId, { search, status, tag, listId }));
    return this.csvDownloads.of(accountId, { filename: 'contacts.csv', columns: COLUMNS, batches });
  }
}

async function* toRows(batches: AsyncIterable<Contact[]>): AsyncGenerator<object[], void> {
  for await (const batch of batches)
    yield batch.map((contact) => ({
      ...contact,
      tags: contact.tags.map(escapeFormula).join(';'),
      listIds: contact.listIds.join(';'),
    }));
}
