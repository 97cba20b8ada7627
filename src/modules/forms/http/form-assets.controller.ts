import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Public } from '../../../platform/http/access/access.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { DomainError } from '../../../shared/domain-error.js';
import { FORM_ASSETS } from './form-assets.js';

const TEXT = { schema: { type: 'string' } } as const;

/** The scripts and styles of hosted forms, which load nothing from elsewhere. */
@Controller('f/assets')
@ApiTags('Sign-up forms')
@AllowUnknownFields()
export class FormAssetsController {
  /** A script or style sheet of the pages of forms. */
  @Get(':name')
  @OperationId('getFormAsset')
  @Public()
  @ApiParam({ name: 'name', description: 'The name of the file' })
  @ApiOkResponse({ description: 'The file', content: { 'text/javascript': TEXT, 'text/css': TEXT } })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiErrors({ not_found: 'File not found' })
  get(@Param('name') name: string, @Res() response: Response): void {
    const asset = FORM_ASSETS.get(name);
    if (!asset) throw DomainError.notFound('File');
    response.set('Cache-Control', 'public, max-age=3600').type(asset.type).send(asset.text);
  }
}
