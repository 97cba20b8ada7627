import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { PageDto } from '../../../platform/http/page.dto.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ManageWebhooks } from '../application/manage-webhooks.service.js';
import { TestWebhook } from '../application/test-webhook.service.js';
import { ChangeWebhookDto } from './dto/change-webhook.dto.js';
import { CreateWebhookDto } from './dto/create-webhook.dto.js';
import {
  WebhookPageResponse,
  WebhookResponse,
  WebhookTestResponse,
  WebhookWithSecretResponse,
} from './webhook.response.js';

@Controller('api/webhooks')
@ApiTags('Webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: ManageWebhooks,
    private readonly testWebhook: TestWebhook,
  ) {}

  /** Adds an endpoint, enabled, and tells its signing secret. An account has at most 50. */
  @Post()
  @Session('admin')
  @Header('Cache-Control', 'no-store')
  @ApiCreatedResponse({ type: WebhookWithSecretResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The account has 50 endpoints' })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() { url, events, description = null }: CreateWebhookDto,
  ): Promise<WebhookWithSecretResponse> {
    return WebhookWithSecretResponse.of(await this.webhooks.create(accountId, { url, events, description }));
  }

  /** Lists the account's endpoints, newest first. */
  @Get()
  @Session()
  @ApiOkResponse({ type: WebhookPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<WebhookPageResponse> {
    return WebhookPageResponse.from(await this.webhooks.list(accountId, page));
  }

  /** One endpoint. */
  @Get(':id')
  @Session()
  @ApiOkResponse({ type: WebhookResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.get(accountId, id));
  }

  /** Changes an endpoint; `enabled` switches it on and off. Enabling it forgets its earlier failures. */
  @Patch(':id')
  @Session('admin')
  @ApiOkResponse({ type: WebhookResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async change(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() body: ChangeWebhookDto,
  ): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.change(accountId, id, body));
  }

  /** Deletes an endpoint with its deliveries, those that wait included. An attempt in progress ends. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: WebhookResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.remove(accountId, id));
  }

  /** The endpoint with its signing secret. */
  @Get(':id/secret')
  @OperationId('revealWebhookSecret')
  @Session('admin')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: WebhookWithSecretResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async revealSecret(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<WebhookWithSecretResponse> {
    return WebhookWithSecretResponse.of(await this.webhooks.revealSecret(accountId, id));
  }

  /**
   * Replaces the signing secret. For 24 hours `X-Service-Signature-Previous` carries the signature by the secret before it;
   * `X-Service-Signature` is by the new one at once.
   */
  @Post(':id/rotate-secret')
  @OperationId('rotateWebhookSecret')
  @HttpCode(200)
  @Session('admin')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: WebhookWithSecretResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The secret was replaced less than a minute ago' })
  async rotateSecret(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<WebhookWithSecretResponse> {
    return WebhookWithSecretResponse.of(await this.webhooks.rotateSecret(accountId, id));
  }

  /**
   * Sends the event `webhook.test` at once, to a disabled endpoint too, and answers when the endpoint has, after 15 seconds
   * at the latest. It is no delivery: it is not listed, not repeated, and counts neither as failure nor as success.
   */
  @Post(':id/test')
  @HttpCode(200)
  @Session('admin')
  @ApiOkResponse({ type: WebhookTestResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async test(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<WebhookTestResponse> {
    return WebhookTestResponse.from(await this.testWebhook.test(accountId, id));
  }
}
