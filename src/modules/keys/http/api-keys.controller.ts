import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Config } from '../../../config/config.js';
import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { Clock } from '../../../shared/ports/clock.js';
import { ManageKeys } from '../application/manage-keys.service.js';
import { ApiKeyPageResponse, ApiKeyResponse, CreatedApiKeyResponse, SmtpAccessResponse } from './api-key.response.js';
import { ChangeApiKeyDto, CreateApiKeyDto, ListApiKeysDto } from './dto/api-key.dto.js';

@Controller('api/api-keys')
@ApiTags('API keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ManageKeys,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Creates a key. This response is the only one that contains its secret. Messages of a test key are simulated: no
   * provider and no verified sender is needed, and nobody receives anything.
   */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: CreatedApiKeyResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The account has 200 keys that are not revoked' })
  @ApiErrors({ conflict: 'An account has at most 200 API keys that are not revoked' })
  async create(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() body: CreateApiKeyDto,
  ): Promise<CreatedApiKeyResponse> {
    const { key, secret } = await this.keys.create(accountId, body);
    const smtp = key.scopes.includes('send') ? SmtpAccessResponse.from(this.config) : null;
    return { ...ApiKeyResponse.from(key, this.clock.now()), secret, ...(smtp && { smtp }) };
  }

  /** Lists the account's keys, newest first, optionally only those with the given status or mode. */
  @Get()
  @Session()
  @ApiOkResponse({ type: ApiKeyPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(
    @CurrentCaller() { accountId }: SessionCaller,
    @Query() { status, mode, ...page }: ListApiKeysDto,
  ): Promise<ApiKeyPageResponse> {
    const filter = { status: status ?? null, mode: mode ?? null };
    return ApiKeyPageResponse.from(await this.keys.list(accountId, page, filter), this.clock.now());
  }

  /** Returns one key. */
  @Get(':id')
  @Session()
  @ApiOkResponse({ type: ApiKeyResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async get(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<ApiKeyResponse> {
    return ApiKeyResponse.from(await this.keys.get(accountId, id), this.clock.now());
  }

  /**
   * Updates the given fields of a key, with the same rules as at creation. Scopes and secret cannot be changed. Takes
   * effect with the key's next call. An expired key becomes active again with a later `expiresAt`.
   */
  @Patch(':id')
  @Session('admin')
  @ApiOkResponse({ type: ApiKeyResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'The key is revoked' })
  @ApiErrors({ conflict: 'The API key is revoked' })
  async change(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() body: ChangeApiKeyDto,
  ): Promise<ApiKeyResponse> {
    return ApiKeyResponse.from(await this.keys.change(accountId, id, body), this.clock.now());
  }

  /** Revokes a key: further calls are answered 401. Revoking it again gives the same response. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: ApiKeyResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  async revoke(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<ApiKeyResponse> {
    return ApiKeyResponse.from(await this.keys.revoke(accountId, id), this.clock.now());
  }
}
