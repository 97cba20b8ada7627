import { Body, Controller, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { Brand } from '../application/ports/webhook-client.js';
import { ReadDeliveries } from '../application/read-deliveries.service.js';
import { ListDeliveriesDto } from './dto/list-deliveries.dto.js';
import { RetryFailedDeliveriesDto } from './dto/retry-failed-deliveries.dto.js';
import {
  RetriedDeliveriesResponse,
  WebhookActivityResponse,
  WebhookSignatureResponse,
} from './webhook-activity.response.js';
import { WebhookDeliveryDetailResponse, WebhookDeliveryPageResponse } from './webhook-delivery.response.js';

@Controller('api/webhooks')
@ApiTags('Webhooks')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: ReadDeliveries,
    private readonly brand: Brand,
  ) {}

  /** Returns the names of the headers with which receivers verify requests; they contain the operator's brand. */
  @Get('signature')
  @OperationId('getWebhookSignature')
  @Session()
  @ApiOkResponse({ type: WebhookSignatureResponse })
  signature(): WebhookSignatureResponse {
    return WebhookSignatureResponse.from(this.brand.name);
  }

  /** Counts the deliveries of the last 48 hours by the hour of their event and their present state. */
  @Get(':id/activity')
  @OperationId('getWebhookActivity')
  @Session()
  @ApiOkResponse({ type: WebhookActivityResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async activity(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<WebhookActivityResponse> {
    return WebhookActivityResponse.from(await this.deliveries.activity(accountId, id));
  }

  /**
   * Makes another attempt at once of the endpoint's failed deliveries whose events occurred at or after `since`, oldest
   * first and at most 1,000 in one call; attempt numbers continue.
   */
  @Post(':id/retry-failed')
  @OperationId('retryFailedWebhookDeliveries')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: RetriedDeliveriesResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The endpoint is disabled' })
  @ApiErrors({ conflict: 'The endpoint is disabled; enable it first' })
  async retryFailed(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() { since }: RetryFailedDeliveriesDto,
  ): Promise<RetriedDeliveriesResponse> {
    return RetriedDeliveriesResponse.from(await this.deliveries.retryFailed(accountId, id, since));
  }

  /** Lists the deliveries of an endpoint, newest first. They are kept for 14 days after they end. */
  @Get(':id/deliveries')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: WebhookDeliveryPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async list(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Query() query: ListDeliveriesDto,
  ): Promise<WebhookDeliveryPageResponse> {
    return WebhookDeliveryPageResponse.from(await this.deliveries.page(accountId, id, query));
  }

  /** Returns a delivery with its attempts: the requests and the responses. */
  @Get('deliveries/:id')
  @Session()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: WebhookDeliveryDetailResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<WebhookDeliveryDetailResponse> {
    return WebhookDeliveryDetailResponse.from(await this.deliveries.get(accountId, id));
  }

  /**
   * Makes another attempt at once, in any state of the delivery; attempt numbers continue. If it fails, the delivery is
   * retried on schedule until six attempts were made.
   */
  @Post('deliveries/:id/retry')
  @HttpCode(200)
  @Session('admin')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: WebhookDeliveryDetailResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'An attempt is in progress, or the endpoint is disabled' })
  @ApiErrors({ conflict: 'An attempt of this delivery is in progress' })
  async retry(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<WebhookDeliveryDetailResponse> {
    return WebhookDeliveryDetailResponse.from(await this.deliveries.retry(accountId, id));
  }
}
