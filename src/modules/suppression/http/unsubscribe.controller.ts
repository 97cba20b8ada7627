import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { Public } from '../../../platform/http/access/access.js';
import { ClientAddress } from '../../../platform/http/access/client-address.js';
import { type HtmlPage, sendPage } from '../../../platform/http/html-page.js';
import { BodyLimit } from '../../../platform/http/json-body.guard.js';
import { languageOf } from '../../../platform/http/page-language.js';
import { RawBody, TakesRawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { parseAddress } from '../../../shared/ip-address.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { MAX_USER_AGENT_LENGTH } from '../../../shared/consent-fields.js';
import { ChangePreferences } from '../application/change-preferences.service.js';
import { type OpenedLink, OpenUnsubscribeLink } from '../application/open-unsubscribe-link.service.js';
import type { Client } from '../application/record-preferences.service.js';
import { Unsubscribe } from '../application/unsubscribe.service.js';
import { isOneClick } from './is-one-click.js';
import { ACTION, EVERYTHING, readChoices, SAVE } from './preference-fields.js';
import { leftTopicPage, preferencePage, trackingWords } from './preference-page.js';
import { unknownLinkPage, unsubscribedPage, unsubscribePage } from './unsubscribe.pages.js';

const PAGE = { schema: { type: 'string' } } as const;
const UNKNOWN = { ...PAGE, description: 'A page saying that the link does not work; nothing is suppressed' };

/** The targets of unsubscribe links: pages for people, and one-click requests for their mail clients. */
@Controller('u')
@ApiTags('Unsubscribe')
@AllowUnknownFields()
@ApiProduces('text/html')
export class UnsubscribeController {
  constructor(
    private readonly links: OpenUnsubscribeLink,
    private readonly unsubscribe: Unsubscribe,
    private readonly preferences: ChangePreferences,
    private readonly clientAddress: ClientAddress,
  ) {}

  /**
   * A page with a button that unsubscribes or, if there are topics or tracking needs consent, with what the recipient
   * of the mail can choose. Opening it changes nothing, because mail scanners open links too.
   */
  @Get(':token')
  @OperationId('showUnsubscribePage')
  @Public()
  @ApiOkResponse(PAGE)
  @ApiNotFoundResponse(UNKNOWN)
  async show(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const link = await this.links.open(token);
    response.vary('Accept-Language');
    const language = languageOf(request);
    if (link) sendPage(response, 200, await this.pageOf(link, language));
    else sendPage(response, 404, unknownLinkPage(language));
  }

  /**
   * Unsubscribes the recipient of the message with the link; the request can be repeated. Mail clients post
   * `List-Unsubscribe=One-Click` (RFC 8058), which unsubscribes from the topic of the message alone if it has one, as
   * does every post that names no action. The form of the page posts `action=save` with what was chosen,
   * `action=everything`, or, for a message without a topic if there are no choices, nothing.
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
    @RawBody() body: Buffer,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.links.open(token);
    response.vary('Accept-Language');
    if (link) sendPage(response, 200, await this.change(link, body.toString('utf8'), request));
    else sendPage(response, 404, unknownLinkPage(languageOf(request)));
  }

  /**
   * What is not known to be less unsubscribes from everything, but only the button of the page does so in the mail of a
   * topic: gateways post links without a body, and people would no longer get their password resets.
   */
  private async change(link: OpenedLink, body: string, request: Request): Promise<HtmlPage> {
    const client = this.clientOf(request);
    const language = languageOf(request);
    const fields = new URLSearchParams(body);
    const action = fields.get(ACTION);
    if (action === SAVE) {
      await this.preferences.save(link, readChoices(fields, trackingWords(language)), client);
      return this.pageOf(link, language, true);
    }
    const isFromClient = action === null && isOneClick(request.headers['content-type'] ?? '', body);
    if (link.target.topicId === null ? isFromClient : action !== EVERYTHING) {
      const topic = await this.unsubscribe.oneClick(link.target, client);
      return topic ? leftTopicPage(link, topic.name, language) : unsubscribedPage(link, language);
    }
    await this.unsubscribe.fromEverything(link.target, 'form', client);
    return unsubscribedPage(link, language);
  }

  private async pageOf(link: OpenedLink, language: PageLanguage, isSaved = false): Promise<HtmlPage> {
    const preferences = await this.links.preferences(link);
    return preferences ? preferencePage({ ...link, preferences }, language, isSaved) : unsubscribePage(link, language);
  }

  private clientOf(request: Request): Client {
    return {
      ip: parseAddress(this.clientAddress.find(request))?.toString() ?? null,
      userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    };
  }
}
