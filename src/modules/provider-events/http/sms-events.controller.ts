import type { IncomingHttpHeaders } from 'node:http';

import { Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Public } from '../../../platform/http/access/access.js';
import { RawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ReceiveSmsReply } from '../application/receive-sms-reply.service.js';
import { ReceiveVendorEvents } from '../application/receive-vendor-events.service.js';
import { ProviderEventLog } from './provider-event-log.js';
import { TakesProviderPost, toSnsPost, toVendorPost } from './provider-post.js';
import { StoredResponse } from './stored.response.js';

/** Receives SMS replies and delivery receipts. Public: each post is verified to come from its source. */
@Controller('api/provider-events')
@ApiTags('Provider events')
@AllowUnknownFields()
export class SmsEventsController {
  constructor(
    private readonly receiveSmsReply: ReceiveSmsReply,
    private readonly receiveVendorEvents: ReceiveVendorEvents,
    private readonly log: ProviderEventLog,
  ) {}

  /**
   * Receives two kinds of posts. Without `X-Signature`: replies, posted by the SNS topic `sms.topicArn` in the settings
   * and verified like the posts of SES; a subscription to the topic is confirmed automatically. A reply causes the
   * event `sms.inbound`. A stop word (STOP, ARRET, CANCEL, END, OPT-OUT, QUIT, REMOVE, TD, UNSUBSCRIBE) suppresses its
   * sender.
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
  @ApiOkResponse({ type: StoredResponse })
  async sms(
    @Param('accountId') accountId: string,
    @Headers() headers: IncomingHttpHeaders,
    @RawBody() raw: Buffer,
  ): Promise<StoredResponse> {
    if (headers['x-signature'] === undefined) {
      const reply = await this.receiveSmsReply.receive(accountId, toSnsPost(headers, raw));
      if (reply) this.log.replied(accountId, reply);
    } else {
      await this.receiveVendorEvents.receiveReceipts(accountId, toVendorPost(headers, raw), (events) => {
        this.log.stored(events);
      });
    }
    return { stored: true };
  }
}
