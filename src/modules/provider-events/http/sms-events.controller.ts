import type { IncomingHttpHeaders } from 'node:http';

import { Controller, Headers, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiQuery, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { Public } from '../../../platform/http/access/access.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { RawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { type ProviderPost, type ReadsReports, REPORT_READERS } from '../../../providers/index.js';
import { ReceiveReports } from '../application/receive-reports.service.js';
import { ProviderEventLog } from './provider-event-log.js';
import { SNS_UNREACHABLE, TakesProviderPost, toProviderPost } from './provider-post.js';
import { StoredResponse } from './stored.response.js';

const EMPTY_TWIML = '<Response/>';

/** Receives SMS replies and delivery receipts. Public: each post is verified to come from its source. */
@Controller('api/provider-events')
@ApiTags('Provider events')
@AllowUnknownFields()
export class SmsEventsController {
  constructor(
    @Inject(REPORT_READERS.sms) private readonly reports: ReadsReports,
    @Inject(REPORT_READERS.twilio) private readonly twilioReports: ReadsReports,
    private readonly receiveReports: ReceiveReports,
    private readonly log: ProviderEventLog,
  ) {}

  /**
   * Receives two kinds of posts. Without `X-Signature`: replies, posted by the SNS topic `sms.topicArn` in the settings
   * and verified like the posts of SES; a subscription to the topic is confirmed automatically. A reply to the
   * account's number causes the event `sms.inbound` if `sms.twoWay` is set. A stop word (STOP, ARRET, CANCEL, END,
   * OPT-OUT, QUIT, REMOVE, REVOKE, STOPALL, TD, UNSUBSCRIBE) suppresses its sender in any case.
   *
   * With `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, made with `sms.eventSigningKey` in the
   * settings and at most 300 seconds old: delivery receipts as Amazon SNS logs them, `{notification: {messageId,
   * timestamp?}, delivery: {destination?, providerResponse?, …}, status: "SUCCESS" | "FAILURE"}`, events in the
   * generic format, or an array of these.
   *
   * Responds 200 once everything is stored; repeated reports are ignored.
   */
  @Post('sms/:accountId')
  @OperationId('receiveSmsEvents')
  @HttpCode(200)
  @Public()
  @TakesProviderPost({
    types: ['text/plain', 'application/json'],
    body: { schema: {}, description: 'JSON as Amazon SNS posts it, or signed receipts' },
    malformed: 'Not valid JSON, or neither a reply nor receipts',
    unverified: 'The signature is not valid, or no topic or key is set',
  })
  @ApiHeader({ name: 'X-Signature', required: false, description: 'Present on delivery receipts only' })
  @ApiServiceUnavailableResponse(SNS_UNREACHABLE)
  @ApiOkResponse({ type: StoredResponse })
  async sms(
    @Param('accountId') accountId: string,
    @Headers() headers: IncomingHttpHeaders,
    @RawBody() raw: Buffer,
  ): Promise<StoredResponse> {
    await this.receive(this.reports, accountId, toProviderPost(headers, raw));
    return { stored: true };
  }

  /**
   * Receives status callbacks and replies of Twilio, verified by `X-Twilio-Signature` with the auth token in the
   * settings. Each message is sent with the address of its callbacks. For replies, set this address, without `message`,
   * as the webhook of the number or of the messaging service, method POST. A reply to the account's own sender causes
   * the event `sms.inbound` if `sms.twoWay` is set; a stop word suppresses its sender in any case.
   *
   * Responds 200 with empty TwiML, which answers nothing, once everything is stored; repeated posts are ignored.
   */
  @Post('twilio/:accountId')
  @OperationId('receiveTwilioEvents')
  @HttpCode(200)
  @Public()
  @ApiErrors({ validation: 'The body is neither a status callback nor an SMS' })
  @TakesProviderPost({
    types: ['application/x-www-form-urlencoded'],
    body: { schema: { type: 'string' }, description: 'The parameters as Twilio posts them' },
    malformed: 'Neither a status callback nor a message, or larger than what Twilio posts',
    unverified: 'The signature is not valid, or no auth token is set',
  })
  @ApiHeader({ name: 'X-Twilio-Signature', required: true })
  @ApiQuery({ name: 'message', required: false, description: 'The id of the message that a status callback is about' })
  @ApiOkResponse({ content: { 'text/xml': { schema: { type: 'string', example: EMPTY_TWIML } } } })
  async twilio(
    @Param('accountId') accountId: string,
    @Headers() headers: IncomingHttpHeaders,
    @RawBody() raw: Buffer,
    @Req() { originalUrl }: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    await this.receive(this.twilioReports, accountId, toProviderPost(headers, raw, originalUrl));
    response.type('text/xml');
    return EMPTY_TWIML;
  }

  private async receive(reports: ReadsReports, accountId: string, post: ProviderPost): Promise<void> {
    const reply = await this.receiveReports.receive(reports, accountId, post, (events) => {
      this.log.stored(events);
    });
    if (reply) this.log.replied(accountId, reply);
  }
}
