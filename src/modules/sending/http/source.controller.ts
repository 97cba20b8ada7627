import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { inEitherAccount } from '../../messages/index.js';
import { ShowSource } from '../application/show-source.service.js';
import { MessageSourceResponse } from './source.response.js';

@Controller('api/messages')
@ApiTags('Messages')
export class SourceController {
  constructor(private readonly source: ShowSource) {}

  /**
   * Returns the mail of a message with all headers, as the current provider of the account gets it. Of each attachment
   * only the beginning is included. A signature of a mail with attachments is therefore not valid.
   */
  @Get(':id/source')
  @OperationId('getMessageSource')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageSourceResponse })
  @ApiNotFoundResponse({ type: ErrorResponse, description: 'There is no such e-mail' })
  async show(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<MessageSourceResponse> {
    return MessageSourceResponse.from(await inEitherAccount(accountId, (owner) => this.source.show(owner, id)));
  }
}
