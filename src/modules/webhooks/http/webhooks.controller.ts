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
import { ApiErrors } from '../../../platform/http/api-errors.js';
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

  /** Adds an enabled endpoint and returns its signing secret. An account has at most 50 endpoints. */
  @Post()
  @Session('admin')
  @Header('Cache-Control', 'no-store')
  @ApiCreatedResponse({ type: WebhookWithSecretResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The account already has 50 endpoints' })
  @ApiErrors({ conflict: 'An account has at most 50 webhook endpoints' })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() { url, events, description = null, testEvents = false }: CreateWebhookDto,
  ): Promise<WebhookWithSecretResponse> {
    const parts = { url, events, description, testEvents };
    return WebhookWithSecretResponse.withSecret(await this.webhooks.create(accountId, parts));
  }

  /** Lists the account's endpoints, newest first. */
  @Get()
  @Session()
  @ApiOkResponse({ type: WebhookPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<WebhookPageResponse> {
    return WebhookPageResponse.from(await this.webhooks.list(accountId, page));
  }

  /** Returns an endpoint. */
  @Get(':id')
  @Session()
  @ApiOkResponse({ type: WebhookResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.get(accountId, id));
  }

  /** Changes an endpoint; `enabled` enables or disables it. Enabling it discards its earlier failures. */
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

  /** Deletes an endpoint and its deliveries, including pending ones. An attempt in progress still finishes. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: WebhookResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<WebhookResponse> {
    return WebhookResponse.from(await this.webhooks.remove(accountId, id));
  }

  /** Returns an endpoint with its signing secret. */
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
    return WebhookWithSecretResponse.withSecret(await this.webhooks.revealSecret(accountId, id));
  }

  /**
   * Replaces the signing secret. `X-Service-Signature` uses the new secret at once; for 24 hours
   * `X-Service-Signature-Previous` also carries the signature by the old one.
   */
  @Post(':id/rotate-secret')
  @OperationId('rotateWebhookSecret')
  @HttpCode(200)
  @Session('admin')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: WebhookWithSecretResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The secret was replaced less than a minute ago' })
  @ApiErrors({ conflict: 'The signing secret was changed less than a minute ago' })
  async rotateSecret(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
  ): Promise<WebhookWithSecretResponse> {
    return WebhookWithSecretResponse.withSecret(await this.webhooks.rotateSecret(accountId, id));
  }

  /**
   * Sends the event `webhook.test` at once, even to a disabled endpoint, and returns the result after 15 seconds at the
   * latest. A test is not a delivery: it is neither listed nor retried. A success clears `failingSince`; a failure
   * changes nothing.
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
