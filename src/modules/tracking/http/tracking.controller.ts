import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiNotFoundResponse, ApiOkResponse, ApiProduces, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { Public } from '../../../platform/http/access/access.js';
import { ClientAddress } from '../../../platform/http/access/client-address.js';
import { type HtmlPage, sendPage } from '../../../platform/http/html-page.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { parseAddress } from '../../../shared/ip-address.js';
import { ReceiveVisits } from '../application/receive-visits.service.js';
import { toLocation } from '../domain/trackable-link.js';
import type { Visitor } from '../domain/visit.js';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const MAX_USER_AGENT = 500;
const PURPOSE_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

const UNUSABLE_LINK: HtmlPage = {
  title: 'This link does not work',
  body: '<p>It was changed, not copied in full, or is no longer valid. Open the message again and follow the link from there.</p>',
};

/** The targets of tracked links and of the pixel. Further parameters, as some programs add, are ignored. */
@Controller('r')
@ApiTags('Tracking')
@AllowUnknownFields()
export class TrackingController {
  constructor(
    private readonly visits: ReceiveVisits,
    private readonly clientAddress: ClientAddress,
  ) {}

  /** Redirects to the signed URL and records `clicked` on the message's timeline. */
  @Get(':messageId')
  @OperationId('followTrackedLink')
  @Public()
  @ApiQuery({ name: 'u', type: String, description: 'The URL to redirect to' })
  @ApiQuery({ name: 's', type: String, description: 'The signature of message and URL' })
  @ApiFoundResponse({ headers: { Location: { schema: { type: 'string' } } } })
  @ApiNotFoundResponse({
    description: 'The service did not create this link',
    content: { 'text/html': { schema: { type: 'string' } } },
  })
  follow(
    @Param('messageId') messageId: string,
    @Query('u') target: unknown,
    @Query('s') signature: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    if (!this.visits.click(messageId, textOf(target), textOf(signature), this.visitorOf(request))) {
      sendPage(response, 404, UNUSABLE_LINK);
      return;
    }
    response
      .status(302)
      .set({ Location: toLocation(textOf(target)), 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
      .end();
  }

  /** Returns a transparent pixel. With a valid signature, records `opened` on the message's timeline. */
  @Get(':messageId/open.gif')
  @OperationId('getOpenPixel')
  @Public()
  @ApiQuery({ name: 's', type: String, required: false, description: 'The signature of the message' })
  @ApiProduces('image/gif')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  open(
    @Param('messageId') messageId: string,
    @Query('s') signature: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    this.visits.open(messageId, textOf(signature), this.visitorOf(request));
    // Webmail embeds the pixel in pages of other origins.
    response
      .set({ 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'cross-origin' })
      .type('gif')
      .send(PIXEL);
  }

  private visitorOf(request: Request): Visitor {
    const { method, headers } = request;
    return {
      method,
      userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
      ip: parseAddress(this.clientAddress.find(request))?.toString() ?? null,
      purpose: PURPOSE_HEADERS.map((name) => headers[name] ?? '').join(' '),
    };
  }
}

/** A missing or repeated parameter matches no signature. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
