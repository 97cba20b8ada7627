import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiBadRequestResponse, ApiTags } from '@nestjs/swagger';

import { ApiCsvDownload, CsvDownloads } from '../../../platform/csv/csv-downloads.js';
import { RequireScopeOrSession } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import type { AttributeValue } from '../../../shared/attributes.js';
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
/** Holds, as JSON, the attributes of an account that has too many to have a column each. */
const OTHER_ATTRIBUTES = 'attributes';

@Controller('api/contacts')
@ApiTags('Contacts')
export class ContactExportController {
  constructor(
    private readonly exportContacts: ExportContacts,
    private readonly csvDownloads: CsvDownloads,
  ) {}

  /**
   * Exports contacts as CSV in UTF-8, newest first, with `tags` and `listIds` separated by `;` and a column such as
   * `attributes.city` for each attribute that the account's contacts have. A cell that a spreadsheet would interpret as
   * a formula is prefixed with an apostrophe, which an import removes.
   */
  @Get('export.csv')
  @OperationId('exportContacts')
  @RequireScopeOrSession('contacts:read')
  @ApiCsvDownload()
  @ApiBadRequestResponse({ type: ErrorResponse })
  async export(
    @CurrentCaller() { accountId }: Caller,
    @Query() { search, status, tag, listId, topicId }: FilterContactsDto,
  ): Promise<StreamableFile> {
    const { keys, hasOthers } = await this.exportContacts.attributeColumns(accountId);
    const batches = toRows(
      this.exportContacts.export(accountId, { search, status, tag, listId, topicId }),
      new Set(keys),
    );
    const columns = [...COLUMNS, ...keys.map((key) => `attributes.${key}`), ...(hasOthers ? [OTHER_ATTRIBUTES] : [])];
    return this.csvDownloads.stream(accountId, { filename: 'contacts.csv', columns, batches });
  }
}

async function* toRows(batches: AsyncIterable<Contact[]>, keys: ReadonlySet<string>): AsyncGenerator<object[], void> {
  for await (const batch of batches)
    yield batch.map((contact) => ({
      ...contact,
      tags: contact.tags.map(escapeFormula).join(';'),
      listIds: contact.listIds.join(';'),
      ...cellsOf(Object.entries(contact.attributes ?? {}), keys),
    }));
}

function cellsOf(attributes: [string, AttributeValue][], keys: ReadonlySet<string>): Record<string, string> {
  const own = attributes.filter(([key]) => keys.has(key)).map(([key, value]) => [`attributes.${key}`, String(value)]);
  const others = attributes.filter(([key]) => !keys.has(key));
  const json = others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others));
  return { ...(Object.fromEntries(own) as Record<string, string>), [OTHER_ATTRIBUTES]: json };
}
