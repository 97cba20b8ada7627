import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiInternalServerErrorResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ManageSenders } from '../application/manage-senders.service.js';
import { CreateSenderDto } from './dto/create-sender.dto.js';
import { SenderPageResponse, SenderResponse } from './sender.response.js';

const MAIL_FAILED = 'The relay or SES did not accept the mail (`Provider error: …`)';
const NOT_ADDED = `${MAIL_FAILED}; the sender is not added`;
const STAYS_PENDING = `${MAIL_FAILED}; the sender remains pending`;
const TOO_MANY_MAILS = {
  type: ErrorResponse,
  description:
    'The account sent a verification mail to the address less than a minute ago, or a daily limit (UTC) is reached: ' +
    '5 per account and address, 10 per address (ignoring a sub-address such as `+news`), 50 per account',
} as const;
const ADDRESS_TAKEN =
  'The account already has a sender with this address; another account of the installation has verified its domain or ' +
  'has requested its verification from SES; or SES already has an unverified identity for it (with the shared ' +
  'credentials of the process: any identity)';
const NOT_RESENT = 'The sender is already verified, or SES has the address for another account (as for a new sender)';

@Controller('api/senders')
@ApiTags('Senders')
export class SendersController {
  constructor(private readonly senders: ManageSenders) {}

  /** Lists the account's senders, newest first. */
  @Get()
  @Session()
  @ApiOkResponse({ type: SenderPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<SenderPageResponse> {
    return SenderPageResponse.from(await this.senders.list(accountId, page));
  }

  /**
   * Adds a sender and mails a confirmation link to its address; for an account that sends through SES, SES mails the
   * link. The sender is `pending`, and cannot be used, until the link is used, within 24 hours. An address that is
   * already verified in SES is `verified` at once.
   */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: SenderResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'The address is invalid, or suppressed in this account' })
  @ApiConflictResponse({ type: ErrorResponse, description: ADDRESS_TAKEN })
  @ApiTooManyRequestsResponse(TOO_MANY_MAILS)
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: NOT_ADDED })
  @ApiErrors({
    suppressed: true,
    conflict: 'hello@example.com is already a sender of this account',
    rate_limited: 'The last verification mail was sent less than a minute ago',
    provider_error: true,
  })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() { email }: CreateSenderDto,
  ): Promise<SenderResponse> {
    return SenderResponse.from(await this.senders.create(accountId, email));
  }

  /**
   * Mails a new link to a sender that is pending, or that was verified for a provider other than the account's current
   * one; at most one per minute. Links mailed earlier stop working.
   */
  @Post(':id/resend')
  @OperationId('resendSenderVerification')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: SenderResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'The address is suppressed in this account' })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: NOT_RESENT })
  @ApiTooManyRequestsResponse(TOO_MANY_MAILS)
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: STAYS_PENDING })
  @ApiErrors({
    suppressed: true,
    conflict: 'hello@example.com is already verified',
    rate_limited: 'The last verification mail was sent less than a minute ago',
    provider_error: true,
  })
  async resend(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<SenderResponse> {
    return SenderResponse.from(await this.senders.resend(accountId, id));
  }

  /** Deletes a sender. Later messages from its address are refused unless its domain is verified. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: SenderResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<SenderResponse> {
    return SenderResponse.from(await this.senders.remove(accountId, id));
  }
}
