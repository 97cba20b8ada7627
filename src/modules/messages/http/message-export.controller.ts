import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiBadRequestResponse, ApiTags } from '@nestjs/swagger';

import { ApiCsvDownload, CsvDownloads } from '../../../platform/csv/csv-downloads.js';
import { RequireScopeOrSession } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { escapeFormula } from '../../../shared/text.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { ReadMessages } from '../application/read-messages.service.js';
import type { MessageLog } from '../domain/message-log.js';
import { listedAccount } from './account-of-caller.js';
import { FilterMessagesDto } from './dto/message-filters.dto.js';
import { type HiddenHosts, MessageResponse } from './message.response.js';
import { toMessageFilter } from './to-message-filter.js';

const COLUMNS = [
  'id',
  'createdAt',
  'sentAt',
  'scheduledAt',
  'channel',
  'status',
  'to',
  'role',
  'from',
  'fromName',
  'subject',
  'tags',
  'opens',
  'clicks',
  'error',
  'campaignId',
  'apiKeyId',
  'provider',
  'providerMessageId',
  'test',
  'topicId',
] as const satisfies readonly (keyof MessageResponse)[];

@Controller('api/messages')
@ApiTags('Messages')
export class MessageExportController {
  constructor(
    private readonly messages: ReadMessages,
    private readonly providers: ProviderDirectory,
    private readonly csvDownloads: CsvDownloads,
  ) {}

  /**
   * Exports messages as CSV in UTF-8, newest first, with `tags` separated by `;`. Same filters and visibility as the
   * list. A cell that a spreadsheet would interpret as a formula is prefixed with an apostrophe.
   */
  @Get('export.csv')
  @OperationId('exportMessages')
  @RequireScopeOrSession('read_events')
  @ApiCsvDownload()
  @ApiBadRequestResponse({ type: ErrorResponse })
  async export(@CurrentCaller() caller: Caller, @Query() query: FilterMessagesDto): Promise<StreamableFile> {
    const filter = toMessageFilter(caller, query);
    const hidden = caller.kind === 'key' ? await this.providers.relayHosts(caller.accountId) : null;
    const batches = toRows(this.messages.export(listedAccount(caller, query), filter), caller, hidden);
    return this.csvDownloads.stream(caller.accountId, { filename: 'messages.csv', columns: COLUMNS, batches });
  }
}

async function* toRows(
  batches: AsyncIterable<MessageLog[]>,
  caller: Caller,
  hidden: HiddenHosts,
): AsyncGenerator<object[], void> {
  for await (const batch of batches)
    yield batch.map((message) => {
      const row = MessageResponse.from(message, caller, hidden);
      return { ...row, tags: row.tags.map(escapeFormula).join(';'), test: String(row.test) };
    });
}
