import { Controller, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { ReadDeliveries } from '../application/read-deliveries.service.js';
import { ListDeliveriesDto } from './dto/list-deliveries.dto.js';
import { WebhookDeliveryDetailResponse, WebhookDeliveryPageResponse } from './webhook-delivery.response.js';

@Controller('api/webhooks')
@ApiTags('Webhooks')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: ReadDeliveries) {}

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
    return WebhookDeliveryDetailResponse.of(await this.deliveries.get(accountId, id));
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
  async retry(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<WebhookDeliveryDetailResponse> {
    return WebhookDeliveryDetailResponse.of(await this.deliveries.retry(accountId, id));
  }
}
