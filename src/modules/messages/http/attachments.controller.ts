import { Readable } from 'node:stream';

import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ReadAttachments } from '../application/read-attachments.service.js';

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
  @Header('Content-Security-Policy', "default-src 'none'; sandbox")
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async download(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Param('number') number: string,
  ): Promise<StreamableFile> {
    const position = /^[1-9]\d?$/.test(number) ? Number(number) : 0;
    const { filename, contentType, size, bytes } = await this.attachments.find(accountId, id, position);
    return new StreamableFile(Readable.from(bytes), {
      type: contentType,
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
