import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { EraseContacts } from '../application/erase-contacts.service.js';
import { ContactErasedResponse } from './contact-erased.response.js';

@Controller('api/contacts')
@ApiTags('Contacts')
export class ContactErasureController {
  constructor(private readonly eraseContacts: EraseContacts) {}

  /**
   * Erases a person for good: the contact and everything stored about them in messages, contents, timelines and
   * reports. Queued messages to them are not sent. Message counts and statuses stay. Only a hash of the address is
   * kept, so that it stays suppressed. Repeating the request returns the same answer.
   */
  @Post(':id/erase')
  @OperationId('eraseContact')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: ContactErasedResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async erase(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<ContactErasedResponse> {
    await this.eraseContacts.erase(accountId, id);
    return { id, erased: true };
  }
}
