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
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ManageSenders } from '../application/manage-senders.service.js';
import { CreateSenderDto } from './dto/create-sender.dto.js';
import { SenderPageResponse, SenderResponse } from './sender.response.js';

const MAIL_FAILED = 'The relay or SES did not accept the mail (`Provider error: …`)';
const NOT_ADDED = `${MAIL_FAILED}; no sender is added`;
const STAYS_PENDING = `${MAIL_FAILED}; the sender stays pending`;
const TOO_MANY_MAILS = {
  type: ErrorResponse,
  description:
    'The account sent a verification mail to the address less than a minute ago, or a limit of the UTC day is reached: ' +
    '5 per account and address, 10 per address, 50 per account',
  headers: { 'Retry-After': { description: 'Seconds until the next one may be sent', schema: { type: 'integer' } } },
} as const;
const ADDRESS_TAKEN =
  'The address is a sender of the account already, another account of the installation has its domain verified or has ' +
  'SES ask for the address, or it is an identity in SES already: a pending one, or any where accounts share the ' +
  'credentials of the process';
const ALREADY_THERE = 'The sender is verified already, or SES has the address for somebody else (as for a new sender)';

@Controller('api/senders')
@ApiTags('Senders')
export class SendersController {
  constructor(private readonly senders: ManageSenders) {}

  /** Lists the account's single sender identities, newest first. */
  @Get()
  @Session()
  @ApiOkResponse({ type: SenderPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<SenderPageResponse> {
    return SenderPageResponse.from(await this.senders.list(accountId, page));
  }

  /**
   * Adds a single sender identity and mails a link to its address; for an account that sends through SES, SES does. It is
   * `pending`, and cannot be sent from, until the link is used, within 24 hours. What SES knows already is `verified`.
   */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: SenderResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'The address is invalid, or suppressed in this account' })
  @ApiConflictResponse({ type: ErrorResponse, description: ADDRESS_TAKEN })
  @ApiTooManyRequestsResponse(TOO_MANY_MAILS)
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: NOT_ADDED })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() { email }: CreateSenderDto,
  ): Promise<SenderResponse> {
    return SenderResponse.from(await this.senders.create(accountId, email));
  }

  /**
   * Mails a new link to a sender that is pending, or that was verified for another provider than the account uses now;
   * at most one per minute. Links mailed earlier stop working.
   */
  @Post(':id/resend')
  @OperationId('resendSenderVerification')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: SenderResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'The address is suppressed in this account' })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: ALREADY_THERE })
  @ApiTooManyRequestsResponse(TOO_MANY_MAILS)
  @ApiInternalServerErrorResponse({ type: ErrorResponse, description: STAYS_PENDING })
  async resend(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<SenderResponse> {
    return SenderResponse.from(await this.senders.resend(accountId, id));
  }

  /** Removes a sender: later sends from its address are refused, unless its domain is verified. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: SenderResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<SenderResponse> {
    return SenderResponse.from(await this.senders.remove(accountId, id));
  }
}
