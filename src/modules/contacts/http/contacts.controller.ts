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

import { RequireScopeOrSession } from '../../../platform/http/access/access.js';
import { type Caller, CurrentCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { AnyTextIn } from '../../../platform/http/json-body.guard.js';
import { holdingBody, TakesUpTo } from '../../../platform/http/large-body/large-body.reader.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ImportContacts } from '../application/import-contacts.service.js';
import { ManageContacts } from '../application/manage-contacts.service.js';
import type { ContactSource } from '../application/write-contacts.service.js';
import { MAX_IMPORTED } from '../domain/contact.js';
import { ContactImportResponse, ContactPageResponse, ContactResponse } from './contact.response.js';
import { ImportContactsDto } from './dto/import-contacts.dto.js';
import { ListContactsDto } from './dto/list-contacts.dto.js';
import { ChangeContactDto, UpsertContactDto } from './dto/write-contact.dto.js';

const MAX_IMPORT_MB = 10;

@Controller('api/contacts')
@ApiTags('Contacts')
@ApiExtraModels(UpsertContactDto)
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
    @Query() { search, status, tag, listId, ...page }: ListContactsDto,
  ): Promise<ContactPageResponse> {
    return ContactPageResponse.from(await this.contacts.list(accountId, { search, status, tag, listId }, page));
  }

  /**
   * Adds a contact, or changes the one with this address: absent fields are kept, null clears, `tags` and `listIds`
   * replace. If the address is suppressed, the status of the contact follows from the suppression.
   */
  @Post()
  @RequireScopeOrSession('contacts:write', 'admin')
  @ApiCreatedResponse({ type: ContactResponse })
  @ApiOkResponse({ type: ContactResponse, description: 'The contact existed already' })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async upsert(
    @CurrentCaller() caller: Caller,
    @Body() body: UpsertContactDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContactResponse> {
    const { contact, outcome } = await this.contacts.upsert(caller.accountId, body, sourceOf(caller));
    response.status(outcome === 'created' ? HttpStatus.CREATED : HttpStatus.OK);
    return ContactResponse.from(contact);
  }

  /**
   * Adds or changes many contacts at once, each as `POST /api/contacts` does. Repeating the request changes nothing.
   * Valid contacts are written even if others fail. An import never makes an unsubscribed or suppressed contact active:
   * it keeps its status, whatever the request says.
   */
  @Post('import')
  @OperationId('importContacts')
  @HttpCode(200)
  @RequireScopeOrSession('contacts:write', 'admin')
  @TakesUpTo(MAX_IMPORT_MB)
  @AnyTextIn('contacts')
  @ApiOkResponse({ type: ContactImportResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse, description: 'More than 5,000 contacts, or 10 MB' })
  async import(
    @CurrentCaller() { accountId }: Caller,
    @Body() { contacts, listId }: ImportContactsDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContactImportResponse> {
    if (contacts.length > MAX_IMPORTED)
      throw new PayloadTooLargeException(`contacts must contain no more than ${MAX_IMPORTED} elements`);
    const work = () => this.importContacts.import(accountId, contacts, listId);
    return ContactImportResponse.from(await holdingBody(response, work));
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
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: ChangeContactDto,
  ): Promise<ContactResponse> {
    return ContactResponse.from(await this.contacts.change(caller.accountId, id, body, sourceOf(caller)));
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

const sourceOf = ({ kind }: Caller): ContactSource => (kind === 'key' ? 'api' : 'dashboard');
