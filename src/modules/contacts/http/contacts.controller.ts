import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  HttpStatus,
  Param,
  Patch,
  PayloadTooLargeException,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';

import { MAX_CONTACT_IMPORT_MB, MAX_IMPORTED_CONTACTS } from '../../../config/limits.js';
import { RequireScopeOrSession, Session } from '../../../platform/http/access/access.js';
import { actorOf, type Caller, CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { HasEntriesIn } from '../../../platform/http/json-body.guard.js';
import { holdingBody, TakesUpTo } from '../../../platform/http/large-body/large-body.reader.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ImportContacts } from '../application/import-contacts.service.js';
import { ManageContacts } from '../application/manage-contacts.service.js';
import type { ContactOrigin } from '../application/apply-statuses.service.js';
import {
  ConsentCoverageResponse,
  ContactImportResponse,
  ContactPageResponse,
  ContactResponse,
} from './contact.response.js';
import { ImportContactsDto } from './dto/import-contacts.dto.js';
import { ImportedContactDto } from './dto/imported-contact.dto.js';
import { ListContactsDto } from './dto/list-contacts.dto.js';
import { ShowConsentCoverageDto } from './dto/show-consent-coverage.dto.js';
import { ChangeContactDto, UpsertContactDto } from './dto/write-contact.dto.js';

@Controller('api/contacts')
@ApiTags('Contacts')
@ApiExtraModels(ImportedContactDto)
export class ContactsController {
  constructor(
    private readonly contacts: ManageContacts,
    private readonly importContacts: ImportContacts,
  ) {}

  /** Lists contacts, newest first. A `total` above 100,000 may be out of date; then `totalIsEstimate` is true. */
  @Get()
  @RequireScopeOrSession('contacts:read')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: ContactPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(
    @CurrentCaller() { accountId }: Caller,
    @Query() { search, status, tag, listId, topicId, ...page }: ListContactsDto,
  ): Promise<ContactPageResponse> {
    return ContactPageResponse.from(
      await this.contacts.list(accountId, { search, status, tag, listId, topicId }, page),
    );
  }

  /**
   * Adds a contact, or changes the one with this address: absent fields and absent keys of `attributes` are kept, null
   * clears, `tags` and `listIds` replace. If the address is suppressed, the status of the contact follows from the
   * suppression.
   */
  @Post()
  @RequireScopeOrSession('contacts:write', 'admin')
  @ApiCreatedResponse({ type: ContactResponse })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact existed already' })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiErrors({ suppressed: true })
  async upsert(
    @CurrentCaller() caller: Caller,
    @Body() body: UpsertContactDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContactResponse> {
    const { contact, outcome } = await this.contacts.upsert(caller.accountId, body, originOf(caller));
    response.status(outcome === 'created' ? HttpStatus.CREATED : HttpStatus.OK);
    return ContactResponse.from(contact);
  }

  /**
   * Adds or changes many contacts at once, each as `POST /api/contacts` does. Repeating the request changes nothing.
   * Valid contacts are written even if others fail. As there, `active` for a suppressed address is an error. With
   * `dryRun`, nothing is written.
   */
  @Post('import')
  @OperationId('importContacts')
  @HttpCode(200)
  @RequireScopeOrSession('contacts:write', 'admin')
  @TakesUpTo(MAX_CONTACT_IMPORT_MB)
  @HasEntriesIn('contacts')
  @ApiOkResponse({ type: ContactImportResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse, description: 'More than 5,000 contacts, or 10 MB' })
  async import(
    @CurrentCaller() caller: Caller,
    @Body() { contacts, ...options }: ImportContactsDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContactImportResponse> {
    if (contacts.length > MAX_IMPORTED_CONTACTS)
      throw new PayloadTooLargeException(`contacts must contain no more than ${MAX_IMPORTED_CONTACTS} elements`);
    const work = () => this.importContacts.import(caller.accountId, contacts, { ...options, actor: actorOf(caller) });
    return ContactImportResponse.from(await holdingBody(response, work));
  }

  /**
   * Counts the contacts who would get campaigns, and those who would not, if consent was required for campaigns. With
   * `topicId`: campaigns with this topic, so that all who are in it are `active` and `withoutConsent`.
   */
  @Get('consent-coverage')
  @OperationId('getConsentCoverage')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: ConsentCoverageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async consentCoverage(
    @CurrentCaller() { accountId }: SessionCaller,
    @Query() { topicId }: ShowConsentCoverageDto,
  ): Promise<ConsentCoverageResponse> {
    return this.contacts.countConsents(accountId, topicId);
  }

  /** Returns a contact. */
  @Get(':id')
  @RequireScopeOrSession('contacts:read')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: ContactResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: Caller, @Param('id') id: string): Promise<ContactResponse> {
    return ContactResponse.from(await this.contacts.get(accountId, id));
  }

  /** Changes a contact. Its address cannot be changed, because it identifies the contact. */
  @Patch(':id')
  @RequireScopeOrSession('contacts:write', 'admin')
  @ApiOkResponse({ type: ContactResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiErrors({ suppressed: true })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: ChangeContactDto,
  ): Promise<ContactResponse> {
    return ContactResponse.from(await this.contacts.change(caller.accountId, id, body, originOf(caller)));
  }

  /** Deletes a contact. A suppression of its address stays. */
  @Delete(':id')
  @RequireScopeOrSession('contacts:write', 'admin')
  @ApiOkResponse({ type: ContactResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: Caller, @Param('id') id: string): Promise<ContactResponse> {
    return ContactResponse.from(await this.contacts.remove(accountId, id));
  }
}

const originOf = (caller: Caller): ContactOrigin => ({
  source: caller.kind === 'key' ? 'api' : 'dashboard',
  actor: actorOf(caller),
});
