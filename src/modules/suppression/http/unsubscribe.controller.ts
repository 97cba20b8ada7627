import { Controller, Get, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Public } from '../../../platform/http/access/access.js';
import { sendPage } from '../../../platform/http/html-page.js';
import { BodyLimit } from '../../../platform/http/json-body.guard.js';
import { RawBody, TakesRawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { Unsubscribe } from '../application/unsubscribe.service.js';
import { isOneClick } from './is-one-click.js';
import { unknownLinkPage, unsubscribedPage, unsubscribePage } from './unsubscribe.pages.js';

const PAGE = { schema: { type: 'string' } } as const;
const UNKNOWN = { ...PAGE, description: 'A page saying that the link does not work; nothing is suppressed' };

/** The targets of unsubscribe links: pages for people, and one-click requests for their mail clients. */
@Controller('u')
@ApiTags('Unsubscribe')
@AllowUnknownFields()
@ApiProduces('text/html')
export class UnsubscribeController {
  constructor(private readonly unsubscribe: Unsubscribe) {}

  /** A page with a button that unsubscribes. Opening it changes nothing, because mail scanners open links too. */
  @Get(':token')
  @OperationId('showUnsubscribePage')
  @Public()
  @ApiOkResponse(PAGE)
  @ApiNotFoundResponse(UNKNOWN)
  async show(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const request = await this.unsubscribe.find(token);
    if (request) sendPage(response, 200, unsubscribePage(request));
    else sendPage(response, 404, unknownLinkPage);
  }

  /**
   * Unsubscribes the recipient of the message with the link; the request can be repeated. Mail clients post
   * `List-Unsubscribe=One-Click` (RFC 8058), the form on the page posts an empty body.
   */
  @Post(':token')
  @OperationId('confirmUnsubscribe')
  @HttpCode(200)
  @Public()
  @TakesRawBody('application/x-www-form-urlencoded', 'multipart/form-data')
  @BodyLimit('64kb')
  @ApiOkResponse(PAGE)
  @ApiNotFoundResponse(UNKNOWN)
  async confirm(
    @Param('token') token: string,
    @Headers('content-type') contentType: string | undefined,
    @RawBody() body: Buffer,
    @Res() response: Response,
  ): Promise<void> {
    const readSource = () => (isOneClick(contentType ?? '', body.toString('utf8')) ? 'one_click' : 'form');
    const request = await this.unsubscribe.confirm(token, readSource);
    if (request) sendPage(response, 200, unsubscribedPage(request));
    else sendPage(response, 404, unknownLinkPage);
  }
}
