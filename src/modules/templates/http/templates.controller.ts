import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { holdingBody, TakesUpTo } from '../../../platform/http/large-body/large-body.reader.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ManageTemplates } from '../application/manage-templates.service.js';
import { RenderTemplate } from '../application/render-template.service.js';
import { ChangeTemplateDto } from './dto/change-template.dto.js';
import { CreateTemplateDto } from './dto/create-template.dto.js';
import { PreviewDraftDto, PreviewTemplateDto } from './dto/preview-template.dto.js';
import { TemplatePageResponse, TemplatePreviewResponse, TemplateResponse } from './template.response.js';

/** Fits two bodies of 500,000 mostly ASCII characters, including JSON escapes. */
const MAX_REQUEST_MB = 4;

@Controller('api/templates')
@ApiTags('Templates')
export class TemplatesController {
  constructor(
    private readonly templates: ManageTemplates,
    private readonly renderTemplate: RenderTemplate,
  ) {}

  /** Creates a template. A template that cannot be rendered is refused here rather than when an e-mail is sent. */
  @Post()
  @Session('admin')
  @TakesUpTo(MAX_REQUEST_MB)
  @ApiCreatedResponse({ type: TemplateResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The account has 1,000 templates' })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  @ApiErrors({ template_fault: true, conflict: 'An account has at most 1000 templates' })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() { name, subject, html = null, text = null, sampleValues = {} }: CreateTemplateDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplateResponse> {
    const work = () => this.templates.create(accountId, { name, subject, html, text, sampleValues });
    return TemplateResponse.from(await holdingBody(response, work));
  }

  /** Lists the account's templates, newest first. */
  @Get()
  @Session()
  @ApiOkResponse({ type: TemplatePageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<TemplatePageResponse> {
    return TemplatePageResponse.from(await this.templates.list(accountId, page));
  }

  /** Returns one template. */
  @Get(':id')
  @Session()
  @ApiOkResponse({ type: TemplateResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<TemplateResponse> {
    return TemplateResponse.from(await this.templates.get(accountId, id));
  }

  /**
   * Updates a template. E-mails that were accepted before keep their content. What the template contained before is
   * kept as a version.
   */
  @Patch(':id')
  @Session('admin')
  @TakesUpTo(MAX_REQUEST_MB)
  @ApiOkResponse({ type: TemplateResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The template has a newer version' })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  @ApiErrors({ template_fault: true, conflict: 'Template was changed meanwhile: it has version 3' })
  async change(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() { version, ...parts }: ChangeTemplateDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplateResponse> {
    const work = () => this.templates.change(accountId, id, parts, version);
    return TemplateResponse.from(await holdingBody(response, work));
  }

  /** Deletes a template. Later sends with its id are answered 400. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: TemplateResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<TemplateResponse> {
    return TemplateResponse.from(await this.templates.remove(accountId, id));
  }

  /** Renders a draft without saving or sending it, for example in an editor. */
  @Post('preview')
  @OperationId('previewTemplateDraft')
  @HttpCode(200)
  @Session()
  @TakesUpTo(MAX_REQUEST_MB)
  @ApiOkResponse({ type: TemplatePreviewResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  @ApiErrors({ template_fault: true })
  async previewDraft(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() { subject, html = null, text = null, variables = {} }: PreviewDraftDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplatePreviewResponse> {
    const work = () => this.renderTemplate.draft(accountId, { subject, html, text }, variables);
    return TemplatePreviewResponse.from(await holdingBody(response, work));
  }

  /** Renders a template with the given values without sending it. */
  @Post(':id/preview')
  @HttpCode(200)
  @Session()
  @ApiOkResponse({ type: TemplatePreviewResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiErrors({ template_fault: true })
  async preview(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() { variables = {} }: PreviewTemplateDto,
  ): Promise<TemplatePreviewResponse> {
    return TemplatePreviewResponse.from(await this.renderTemplate.preview(accountId, id, variables));
  }
}
