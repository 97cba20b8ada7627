import { Controller, Get, HttpCode, Post, Query, type StreamableFile } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiBody,
  ApiConflictResponse,
  ApiOkResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
} from '@nestjs/swagger';

import { RequireScopeOrSession, Session } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { CsvDownloads } from '../../../platform/http/csv-downloads.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { StreamedBody } from '../../../platform/http/streamed-body.js';
import { UploadedForm } from '../../../platform/http/uploaded-form.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { escapeFormula } from '../../../shared/formula.js';
import { ExportContacts } from '../application/export-contacts.service.js';
import { type ReceiveForm, StartImport } from '../application/start-import.service.js';
import type { Contact } from '../domain/contact.js';
import { FilterContactsDto } from './dto/filter-contacts.dto.js';
import { ImportResponse } from './import.response.js';

const MAX_FILE_MB = 256;
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

const FORM = {
  type: 'object',
  required: ['file', 'mapping'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'A CSV in UTF-8 with a header, of at most 256 MB' },
    mapping: {
      type: 'string',
      description:
        'JSON: which column, by its name in the header, is email (required), firstName, lastName, company, tags (separated by ;) and status',
      example: '{"email":"E-mail","firstName":"First name"}',
    },
    dryRun: { type: 'string', enum: ['true', 'false'], description: 'true: write nothing and count what would be' },
    listId: { type: 'string', description: 'A list that all of them are put into' },
  },
};

@Controller('api/contacts')
@ApiTags('Contacts')
export class ContactFilesController {
  constructor(
    private readonly startImport: StartImport,
    private readonly exportContacts: ExportContacts,
    private readonly csvDownloads: CsvDownloads,
  ) {}

  /**
   * Takes in a CSV of contacts, which a worker then imports; `GET /api/imports/:id` tells how far it is. Rows are written
   * as `POST /api/contacts/import` does; an empty cell leaves its field as it is. A file that breaks the rules of CSV is not
   * imported at all.
   */
  @Post('import/csv')
  @OperationId('importContactsCsv')
  @HttpCode(202)
  @Session('admin')
  @StreamedBody('multipart/form-data')
  @ApiBody({ schema: FORM })
  @ApiAcceptedResponse({ type: ImportResponse })
  @ApiBadRequestResponse({
    type: ErrorResponse,
    description: 'Not UTF-8 (the message says the line), or a wrong field',
  })
  @ApiConflictResponse({ type: ErrorResponse, description: 'Five imports are not finished yet' })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  async import(
    @CurrentCaller() { accountId }: SessionCaller,
    @UploadedForm(MAX_FILE_MB) receive: ReceiveForm,
  ): Promise<ImportResponse> {
    return ImportResponse.from(await this.startImport.start(accountId, receive));
  }

  /**
   * Contacts as a CSV in UTF-8, newest first, `tags` and `listIds` separated by `;`. A cell that a spreadsheet would take
   * for a formula has an apostrophe before it, which an import takes off.
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
