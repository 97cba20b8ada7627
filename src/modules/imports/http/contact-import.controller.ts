import { Controller, HttpCode, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiBody,
  ApiConflictResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
} from '@nestjs/swagger';

import { MAX_IMPORT_FILE_MB } from '../../../config/limits.js';
import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { StreamedBody } from '../../../platform/http/streamed-body.js';
import { UploadedForm } from '../../../platform/http/uploaded-form.js';
import { type ReceiveForm, ManageImports } from '../application/manage-imports.service.js';
import { ImportResponse } from './import.response.js';

const FORM = {
  type: 'object',
  required: ['file', 'mapping'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'A CSV in UTF-8 with a header, at most 256 MB' },
    mapping: {
      type: 'string',
      description:
        'JSON: the names of the columns of email (required), firstName, lastName, company, tags (separated by ;), status, ' +
        'consentAt, consentWording, consentIp, consentEvidence and attributes. A column named like attributes.city need ' +
        'not be mapped; null leaves it out',
      example: '{"email":"E-mail","firstName":"First name","attributes.city":"City"}',
    },
    dryRun: {
      type: 'string',
      enum: ['true', 'false'],
      description: 'true: write nothing and count what would be written',
    },
    listId: { type: 'string', description: 'A list to add all contacts to' },
  },
};

@Controller('api/contacts')
@ApiTags('Contacts')
export class ContactImportController {
  constructor(private readonly manageImports: ManageImports) {}

  /**
   * Uploads a CSV of contacts, which a worker then imports; `GET /api/imports/:id` returns the progress. Rows are
   * written as `POST /api/contacts/import` writes contacts; an empty cell leaves its field as it is. Columns that
   * are left out are named in the answer. A file that is not valid CSV is not imported at all.
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
    description: 'The file is not UTF-8 (the message names the line), or a field is not valid',
  })
  @ApiConflictResponse({ type: ErrorResponse, description: 'Five imports are not finished yet' })
  @ApiPayloadTooLargeResponse({ type: ErrorResponse })
  @ApiErrors({
    conflict: '5 imports are not finished yet: wait for one of them',
    too_large: `The file is larger than ${MAX_IMPORT_FILE_MB} MB`,
  })
  async import(
    @CurrentCaller() { accountId, userId }: SessionCaller,
    @UploadedForm(MAX_IMPORT_FILE_MB) receive: ReceiveForm,
  ): Promise<ImportResponse> {
    return ImportResponse.from(await this.manageImports.start(accountId, userId, receive));
  }
}
