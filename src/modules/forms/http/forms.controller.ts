import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { ManageForms } from '../application/manage-forms.service.js';
import { ChangeFormDto, CreateFormDto } from './dto/write-form.dto.js';
import { FormPageResponse, FormResponse } from './form.response.js';
import { toChanges, toPlan } from './to-form-plan.js';

const SUBJECT_FAULT = 'confirmation.subject: Unclosed section "name" at 8';

@Controller('api/forms')
@ApiTags('Sign-up forms')
export class FormsController {
  constructor(private readonly forms: ManageForms) {}

  /** Creates a sign-up form. People who submit it get a mail with a link, and become contacts when they use that. */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: FormResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The account has 100 forms' })
  @ApiErrors({ sender_not_verified: true, template_fault: SUBJECT_FAULT, conflict: 'An account has at most 100 forms' })
  async create(@CurrentCaller() { accountId }: SessionCaller, @Body() body: CreateFormDto): Promise<FormResponse> {
    return FormResponse.from(await this.forms.create(accountId, toPlan(body)));
  }

  /** Lists the account's forms, newest first. */
  @Get()
  @Session()
  @ApiOkResponse({ type: FormPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<FormPageResponse> {
    return FormPageResponse.from(await this.forms.list(accountId, page));
  }

  /** Returns one form. */
  @Get(':id')
  @Session()
  @ApiOkResponse({ type: FormResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<FormResponse> {
    return FormResponse.from(await this.forms.get(accountId, id));
  }

  /** Changes a form. */
  @Patch(':id')
  @Session('admin')
  @ApiOkResponse({ type: FormResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiErrors({ sender_not_verified: true, template_fault: SUBJECT_FAULT })
  async change(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() body: ChangeFormDto,
  ): Promise<FormResponse> {
    return FormResponse.from(await this.forms.change(accountId, id, toChanges(body)));
  }

  /** Deletes a form with the sign-ups that were not confirmed: their links stop working. Records of consent stay. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: FormResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<FormResponse> {
    return FormResponse.from(await this.forms.remove(accountId, id));
  }
}
