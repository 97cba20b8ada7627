import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiProduces,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { Public } from '../../../platform/http/access/access.js';
import { ClientAddress } from '../../../platform/http/access/client-address.js';
import { sendPage } from '../../../platform/http/html-page.js';
import { BodyLimit } from '../../../platform/http/json-body.guard.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { languageOf } from '../../../platform/http/page-language.js';
import { RawBody, TakesRawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OpenConfirmLink } from '../application/open-confirm-link.service.js';
import { confirmedPage, confirmPage, deadLinkPage, isFromButton, suppressedPage } from './confirm.pages.js';

const PAGE = { schema: { type: 'string' } } as const;
const DEAD = { ...PAGE, description: 'A page saying that the link does not work; nothing is confirmed' };

/** The targets of the links in confirmation mails. */
@Controller('confirm')
@ApiTags('Sign-up forms')
@AllowUnknownFields()
@ApiProduces('text/html')
export class ConfirmController {
  constructor(
    private readonly links: OpenConfirmLink,
    private readonly clientAddress: ClientAddress,
  ) {}

  /** A page with a button that confirms. Opening it changes nothing, because mail scanners open links too. */
  @Get(':token')
  @OperationId('showConfirmation')
  @Public()
  @ApiOkResponse(PAGE)
  @ApiNotFoundResponse(DEAD)
  async show(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const found = await this.links.find(token);
    const language = languageOf(request);
    response.vary('Accept-Language');
    if (found) sendPage(response, 200, confirmPage(found, language));
    else sendPage(response, 404, deadLinkPage(language));
  }

  /**
   * Confirms the sign-up once; again, the response is the same and nothing changes. The button of the page sends
   * `confirm=yes`; without it, the page is shown again. A suppressed address stays suppressed.
   */
  @Post(':token')
  @OperationId('confirmSignup')
  @HttpCode(200)
  @Public()
  @TakesRawBody('application/x-www-form-urlencoded')
  @BodyLimit('64kb')
  @ApiOkResponse(PAGE)
  @ApiResponse({ status: 303, description: 'A redirect to `confirmedUrl`' })
  @ApiNotFoundResponse(DEAD)
  @ApiConflictResponse({ ...PAGE, description: 'A page saying that the address is suppressed; nothing is confirmed' })
  async confirm(
    @Param('token') token: string,
    @RawBody() body: Buffer,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (!isFromButton(body.toString('utf8'))) return this.show(token, request, response);
    const client = { ip: this.clientAddress.find(request), userAgent: request.headers['user-agent'] };
    const outcome = await this.links.confirm(token, client);
    const language = languageOf(request);
    response.vary('Accept-Language');
    const confirmedUrl = outcome?.signup.form.confirmedUrl ?? null;
    if (!outcome) sendPage(response, 404, deadLinkPage(language));
    else if (!outcome.isConfirmed) sendPage(response, 409, suppressedPage(outcome.signup, language));
    else if (confirmedUrl === null) sendPage(response, 200, confirmedPage(outcome.signup, language));
    else response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(303, confirmedUrl);
  }
}
