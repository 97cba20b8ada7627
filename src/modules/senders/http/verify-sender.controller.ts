import { Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Public } from '../../../platform/http/access/access.js';
import { sendPage } from '../../../platform/http/html-page.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ConfirmSender } from '../application/confirm-sender.service.js';
import { confirmedPage, confirmPage, unusableLinkPage } from './verify-sender.pages.js';

const PAGE = { schema: { type: 'string' } } as const;
const UNUSABLE = { ...PAGE, description: 'A page that explains why the link does not work and what to do' };

/** HTML pages for the person who opens a mailed link. */
@Controller('verify-sender')
@ApiTags('Senders')
@AllowUnknownFields()
@ApiProduces('text/html')
export class VerifySenderController {
  constructor(private readonly confirmSender: ConfirmSender) {}

  /**
   * Shows a page with a button that confirms the sender. Opening it changes nothing, because mail scanners open links
   * too.
   */
  @Get(':token')
  @OperationId('showSenderVerification')
  @Public()
  @ApiOkResponse(PAGE)
  @ApiNotFoundResponse(UNUSABLE)
  async show(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const request = await this.confirmSender.find(token);
    if (request) sendPage(response, 200, confirmPage(request));
    else sendPage(response, 404, unusableLinkPage);
  }

  /** Verifies the sender. The link works once, within 24 hours. */
  @Post(':token')
  @OperationId('confirmSenderVerification')
  @Public()
  @ApiOkResponse(PAGE)
  @ApiNotFoundResponse(UNUSABLE)
  async confirm(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const request = await this.confirmSender.confirm(token);
    if (request) sendPage(response, 200, confirmedPage(request));
    else sendPage(response, 404, unusableLinkPage);
  }
}
