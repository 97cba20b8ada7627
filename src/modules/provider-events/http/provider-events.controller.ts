import type { IncomingHttpHeaders } from 'node:http';

import { Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Public } from '../../../platform/http/access/access.js';
import { RawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ReceiveSes } from '../application/receive-ses.service.js';
import { ReceiveVendor } from '../application/receive-vendor.service.js';
import { TakesProviderPost } from './provider-post.js';
import { StoredResponse } from './stored.response.js';

/** Where providers report what became of messages. Open to anybody who proves to be the provider. */
@Controller('api/provider-events')
@ApiTags('Provider events')
@AllowUnknownFields()
export class ProviderEventsController {
  constructor(
    private readonly receiveSes: ReceiveSes,
    private readonly receiveVendor: ReceiveVendor,
  ) {}

  /**
   * Posts of the SNS topic that SES publishes the account's events to (`ses.topicArn` of the settings), in either form of
   * SES, signed in version 1 or 2; not with raw delivery. A subscription to the topic confirms itself. The answer 200
   * comes when the events are stored, known ones included.
   */
  @Post('ses/:accountId')
  @OperationId('receiveSesEvents')
  @HttpCode(200)
  @Public()
  @TakesProviderPost({
    types: ['text/plain'],
    body: { schema: { type: 'string' }, description: 'JSON as Amazon SNS posts it' },
    malformed: 'No JSON',
    unproven: 'Not proven to be a message of that topic, made now',
  })
  @ApiOkResponse({ type: StoredResponse })
  async ses(
    @Param('accountId') accountId: string,
    @Headers() headers: IncomingHttpHeaders,
    @RawBody() raw: Buffer,
  ): Promise<StoredResponse> {
    await this.receiveSes.receive(accountId, headers, raw);
    return { stored: true };
  }

  /**
   * Posts of the account's SMTP vendor, proven with `smtp.eventSigningKey` of the settings. For `generic`: the header
   * `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, at most 300 seconds old, and as body `{id, type,
   * messageLogId | providerMessageId, occurredAt, recipient?, data?}` or an array of these; `type` is one of sent,
   * delivered, bounced, complained, opened, clicked, delayed, failed, and a bounce is hard only where `data.bounceType`
   * is `hard` or `permanent`, in any case; otherwise it is soft and suppresses nobody. Of an array, entries that lack
   * what they need are kept as unknown and the others stored; a time that cannot be read is replaced by that of
   * receipt. The answer 200 comes when the events are stored, known and unknown ones included.
   */
  @Post('smtp/:accountId')
  @OperationId('receiveSmtpEvents')
  @HttpCode(200)
  @Public()
  @TakesProviderPost({
    types: ['application/json'],
    body: { schema: {}, description: "The vendor's own form" },
    malformed: 'No JSON, or not in the form of the vendor',
    unproven: 'Not proven, or no key is set',
  })
  @ApiOkResponse({ type: StoredResponse })
  async smtp(
    @Param('accountId') accountId: string,
    @Headers() headers: IncomingHttpHeaders,
    @RawBody() raw: Buffer,
  ): Promise<StoredResponse> {
    await this.receiveVendor.receive(accountId, headers, raw);
    return { stored: true };
  }
}
