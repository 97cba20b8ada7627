import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { TemplateHistory } from '../application/template-history.service.js';
import { RestoreVersionDto } from './dto/restore-version.dto.js';
import { TemplateVersionDetailResponse, TemplateVersionPageResponse } from './template-version.response.js';

const VersionParam = () =>
  ApiParam({ name: 'version', description: 'The number of the version, from 1', schema: { type: 'string' } });

@Controller('api/templates/:id/versions')
@ApiTags('Templates')
export class TemplateVersionsController {
  constructor(private readonly history: TemplateHistory) {}

  /**
   * Lists the versions of a template, newest first. Every save that changes the template makes a version; the newest
   * one is what the template contains. The newest 100 are kept.
   */
  @Get()
  @Session()
  @ApiOkResponse({ type: TemplateVersionPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async list(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Query() page: PageDto,
  ): Promise<TemplateVersionPageResponse> {
    return TemplateVersionPageResponse.from(await this.history.list(accountId, id, page));
  }

  /** Returns one version of a template with its content. */
  @Get(':version')
  @Session()
  @VersionParam()
  @ApiOkResponse({ type: TemplateVersionDetailResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiErrors({ not_found: 'Template version not found' })
  async get(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Param('version') version: string,
  ): Promise<TemplateVersionDetailResponse> {
    return TemplateVersionDetailResponse.from(await this.history.get(accountId, id, numberOf(version)));
  }

  /**
   * Restores a version: its content is saved as a new version, which is returned. If the template already has this
   * content, nothing is saved and its newest version is returned.
   */
  @Post(':version/restore')
  @HttpCode(200)
  @Session('admin')
  @VersionParam()
  @ApiBody({ type: RestoreVersionDto, required: false })
  @ApiOkResponse({ type: TemplateVersionDetailResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The template has a newer version' })
  @ApiErrors({ not_found: 'Template version not found', conflict: 'Template was changed meanwhile: it has version 3' })
  async restore(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Param('version') version: string,
    @Body() { version: base }: RestoreVersionDto,
  ): Promise<TemplateVersionDetailResponse> {
    return TemplateVersionDetailResponse.from(await this.history.restore(accountId, id, numberOf(version), base));
  }
}

/** No version has the number 0. */
const numberOf = (version: string): number => (/^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0);
