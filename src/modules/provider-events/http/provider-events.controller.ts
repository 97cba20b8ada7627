import type { IncomingHttpHeaders } from 'node:http';

import { Controller, Headers, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';

import { Public } from '../../../platform/http/access/access.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { RawBody } from '../../../platform/http/raw-body.js';
import { AllowUnknownFields } from '../../../platform/http/unknown-fields.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { type ReadsReports, REPORT_READERS } from '../../../providers/index.js';
import { ReceiveReports } from '../application/receive-reports.service.js';
import { ProviderEventLog } from './provider-event-log.js';
import { SNS_UNREACHABLE, TakesProviderPost, toProviderPost } from './provider-post.js';
import { StoredResponse } from './stored.response.js';

/** Receives the providers' event posts. Public: each post is verified to come from the provider. */
@Controller('api/provider-events')
@ApiTags('Provider events')
@AllowUnknownFields()
export class ProviderEventsController {
  constructor(
    @Inject(REPORT_READERS.ses) private readonly sesReports: ReadsReports,
    @Inject(REPORT_READERS.smtp) private readonly smtpReports: ReadsReports,
    private readonly receiveReports: ReceiveReports,
    private readonly log: ProviderEventLog,
  ) {}

  /**
   * Receives the posts of the SNS topic that SES publishes the account's events to (`ses.topicArn` in the settings), as
   * event publishing or feedback notifications, with signature version 1 or 2 and without raw delivery. A subscription
   * to the topic is confirmed automatically. Responds 200 once the events are stored; repeated events are ignored.
   */
  @Post('ses/:accountId')
  @OperationId('receiveSesEvents')
  @HttpCode(200)
  @Public()
  @ApiErrors({ forbidden: 'The body is not a signed message of Amazon SNS' })
  @TakesProviderPost({
    types: ['text/plain'],
    body: { schema: { type: 'string' }, description: 'JSON as Amazon SNS posts it' },
    malformed: 'Not valid JSON',
    unverified: 'Not a recent, signed message of that topic',
  })
  @ApiServiceUnavailableResponse(SNS_UNREACHABLE)
  @ApiOkResponse({ type: StoredResponse })
  async ses(
    @Param('accountId') accountId: string,
    @Headers() headers: IncomingHttpHeaders,
    @RawBody() raw: Buffer,
  ): Promise<StoredResponse> {
    await this.receiveReports.receive(this.sesReports, accountId, toProviderPost(headers, raw), (events) => {
      this.log.stored(events);
    });
    return { stored: true };
  }

  /**
   * Receives the posts of the account's SMTP vendor, verified with `smtp.eventSigningKey` in the settings. The vendor
   * `generic` sends the header `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, at most 300 seconds
   * old, and the body `{id, type, messageLogId | providerMessageId, occurredAt, recipient?, data?}` or an array of
   * these. `type` is one of sent, delivered, bounced, complained, opened, clicked, delayed, failed. A bounce is hard
   * only if `data.bounceType` is `hard` or `permanent` (case-insensitive); otherwise it is soft and suppresses nobody.
   * In an array, entries with missing fields are kept as unknown and the others are stored. A time that cannot be
   * parsed is replaced by the time of receipt. Responds 200 once the events are stored; repeated events are ignored.
   */
  @Post('smtp/:accountId')
  @OperationId('receiveSmtpEvents')
  @HttpCode(200)
  @Public()
  @TakesProviderPost({
    types: ['application/json'],
    body: { schema: {}, description: "JSON in the vendor's own format" },
    malformed: 'Not valid JSON, or not in the format of the vendor',
    unverified: 'The signature is not valid, or no key is set',
  })
  @ApiOkResponse({ type: StoredResponse })
  async smtp(
    @Param('accountId') accountId: string,
    @Headers() headers: IncomingHttpHeaders,
    @RawBody() raw: Buffer,
  ): Promise<StoredResponse> {
    await this.receiveReports.receive(this.smtpReports, accountId, toProviderPost(headers, raw), (events) => {
      this.log.stored(events);
    });
    return { stored: true };
  }
}
