import { Readable } from 'node:stream';

import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ReadAttachments } from '../application/read-attachments.service.js';
import { withAccountOf } from './account-of-caller.js';

@Controller('api/messages')
@ApiTags('Messages')
export class AttachmentsController {
  constructor(private readonly attachments: ReadAttachments) {}

  /** Downloads an attachment of a message, as long as its content is kept. Browsers save it and do not show it. */
  @Get(':id/attachments/:number')
  @OperationId('getMessageAttachment')
  @Session()
  @Header('Cache-Control', 'no-store')
  @Header('X-Content-Type-Options', 'nosniff')
  @Header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
  @ApiParam({ name: 'number', description: 'The number of the attachment, from 1', schema: { type: 'string' } })
  @ApiOkResponse({ content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async download(
    @CurrentCaller() caller: SessionCaller,
    @Param('id') id: string,
    @Param('number') number: string,
  ): Promise<StreamableFile> {
    const position = /^[1-9]\d?$/.test(number) ? Number(number) : 0;
    const { filename, size, bytes } = await withAccountOf(caller, (accountId) =>
      this.attachments.get(accountId, id, position),
    );
    return new StreamableFile(Readable.from(bytes), {
      type: 'application/octet-stream',
      disposition: dispositionOf(filename),
      length: size,
    });
  }
}

/** RFC 6266: a name in ASCII for old browsers, and the exact one. */
function dispositionOf(filename: string): string {
  const ascii = filename.replace(/[^ -~]/g, '_').replace(/["\\%]/g, '_');
  const exact = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
