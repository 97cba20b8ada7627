import { Body, Controller, Get, Header, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { ApiCsvDownload, CsvDownloads } from '../../../platform/csv/csv-downloads.js';
import { RequireScopeOrSession, Session } from '../../../platform/http/access/access.js';
import { actorOf, type Caller, CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ReadConsents } from '../application/read-consents.service.js';
import { WriteConsent } from '../application/write-consent.service.js';
import type { ConsentRecord } from '../domain/consent.js';
import { ConsentPageResponse, ConsentResponse, StandingConsentResponse } from './consent.response.js';
import { ConsentAddressDto, ListConsentsDto } from './dto/list-consents.dto.js';
import { RecordConsentDto } from './dto/record-consent.dto.js';
import { toConsentFilter } from './to-consent-filter.js';

const COLUMNS = [
  ...['id', 'occurredAt', 'recordedAt', 'channel', 'address', 'contactId', 'purpose', 'topicId', 'action', 'source'],
  ...['wordingVersion', 'wording', 'formId', 'ip', 'userAgent', 'messageLogId', 'evidence', 'actorType', 'actorId'],
];

const EXAMPLES = {
  email: { value: { email: 'ada@example.com', action: 'granted', wording: 'I would like to get the newsletter.' } },
  phone: { value: { phone: '+14155550100', action: 'withdrawn' } },
};

/** Who agreed to what, and who took it back. Records are appended and never changed. */
@Controller('api/consents')
@ApiTags('Consents')
export class ConsentsController {
  constructor(
    private readonly readConsents: ReadConsents,
    private readonly writeConsent: WriteConsent,
    private readonly csvDownloads: CsvDownloads,
  ) {}

  /**
   * Records that a person has agreed, or has taken it back. A grant lifts no suppression, and a withdrawal suppresses
   * nobody: it counts where consent is required (`settings.consent`).
   */
  @Post()
  @OperationId('recordConsent')
  @RequireScopeOrSession('contacts:write', 'admin')
  @ApiBody({ type: RecordConsentDto, examples: EXAMPLES })
  @ApiCreatedResponse({ type: ConsentResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'Invalid payload, or an address that was erased' })
  @ApiErrors({ suppressed: true })
  async record(@CurrentCaller() caller: Caller, @Body() body: RecordConsentDto): Promise<ConsentResponse> {
    const source = caller.kind === 'key' ? 'api' : 'dashboard';
    const origin = { source, actor: actorOf(caller) } as const;
    return ConsentResponse.from(await this.writeConsent.write(caller.accountId, body, origin));
  }

  /** Lists records, newest first: of one address, or of all of them. The list ends when `nextCursor` is null. */
  @Get()
  @RequireScopeOrSession('contacts:read')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: ConsentPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(
    @CurrentCaller() { accountId }: Caller,
    @Query() { cursor, limit, ...filter }: ListConsentsDto,
  ): Promise<ConsentPageResponse> {
    const page = await this.readConsents.page(accountId, toConsentFilter(filter), { cursor, limit });
    return ConsentPageResponse.from(page);
  }

  /**
   * Returns what stands for an address: of each purpose, and of each topic with records of its own, the latest record
   * by `occurredAt`. A record without a topic counts for every topic that has no later one.
   */
  @Get('standing')
  @OperationId('getStandingConsents')
  @RequireScopeOrSession('contacts:read')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: StandingConsentResponse, isArray: true })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async standing(
    @CurrentCaller() { accountId }: Caller,
    @Query() address: ConsentAddressDto,
  ): Promise<StandingConsentResponse[]> {
    const standing = await this.readConsents.standing(accountId, address);
    return standing.map((consent) => StandingConsentResponse.from(consent));
  }

  /**
   * Exports all records of one address as CSV in UTF-8, newest first. A cell that a spreadsheet would interpret as a
   * formula is prefixed with an apostrophe.
   */
  @Get('export')
  @OperationId('exportConsents')
  @Session('admin')
  @ApiCsvDownload()
  @ApiBadRequestResponse({ type: ErrorResponse })
  async export(
    @CurrentCaller() { accountId }: SessionCaller,
    @Query() address: ConsentAddressDto,
  ): Promise<StreamableFile> {
    const batches = toRows(this.readConsents.listAll(accountId, address));
    return this.csvDownloads.stream(accountId, { filename: 'consents.csv', columns: COLUMNS, batches });
  }

  /** Returns a record, with the words that the person agreed to as they were then. */
  @Get(':id')
  @RequireScopeOrSession('contacts:read')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: ConsentResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: Caller, @Param('id') id: string): Promise<ConsentResponse> {
    return ConsentResponse.from(await this.readConsents.get(accountId, id));
  }
}

async function* toRows(batches: AsyncIterable<ConsentRecord[]>): AsyncGenerator<object[], void> {
  for await (const batch of batches)
    yield batch.map(({ wording, actor, ...record }) => ({
      ...record,
      wordingVersion: wording?.version,
      wording: wording?.text,
      actorType: actor.type,
      actorId: actor.id,
    }));
}
