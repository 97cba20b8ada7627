import type { IncomingHttpHeaders } from 'node:http';

import { Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Public } from '../../../platform/http/access/access.js';
import { RawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { ReceiveSms } from '../application/receive-sms.service.js';
import { TakesProviderPost } from './provider-post.js';
import { StoredResponse } from './stored.response.js';

/** Where replies to SMS and their delivery receipts come in. Open to anybody who proves to be their source. */
@Controller('api/provider-events')
@ApiTags('Provider events')
@AllowUnknownFields()
export class SmsEventsController {
  constructor(
    private readonly receiveSms: ReceiveSms,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Two kinds of posts. Without `X-Signature`: replies, as the SNS topic `sms.topicArn` of the settings posts them, proven as
   * those of SES; a subscription to the topic confirms itself. A reply is reported as `sms.inbound`, and one that says STOP
   * (ARRET, CANCEL, END, OPT-OUT, QUIT, REMOVE, TD, UNSUBSCRIBE) suppresses its sender.
   *
   * With `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">` by `sms.eventSigningKey` of the settings, at most
   * 300 seconds old: delivery receipts as Amazon SNS logs them, `{notification: {messageId, timestamp?}, delivery:
   * {destination?, providerResponse?, …}, status: "SUCCESS" | "FAILURE"}`, events of the generic form, or an array of these.
   *
   * The answer 200 comes when all of it is stored, known things included.
   */
  @Post('sms/:accountId')
  @OperationId('receiveSmsEvents')
  @HttpCode(200)
  @Public()
  @TakesProviderPost({
    types: ['text/plain', 'application/json'],
    body: { schema: {}, description: 'JSON as Amazon SNS posts it, or signed receipts' },
    malformed: 'No JSON, or neither a reply nor receipts',
    unproven: 'Not proven, or no topic or key is set',
  })
  @ApiHeader({ name: 'X-Signature', required: false, description: 'Of delivery receipts' })
  @ApiOkResponse({ type: StoredResponse })
  async sms(
    @Param('accountId') accountId: string,
    @Headers() headers: IncomingHttpHeaders,
    @RawBody() raw: Buffer,
  ): Promise<StoredResponse> {
    const reply = await this.receiveSms.receive(accountId, headers, raw);
    if (reply) {
      this.metrics.providerEvents.inc({ provider: reply.provider, outcome: reply.outcome });
      this.log.info({ event: 'sms_inbound', accountId, ...reply });
    }
    return { stored: true };
  }
}
