import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { CheckProvider } from '../application/check-provider.service.js';
import { ProviderCheckResponse } from './provider-check.response.js';

@Controller('api/settings')
@ApiTags('Settings')
export class ProviderCheckController {
  constructor(private readonly checkProvider: CheckProvider) {}

  /** Connects to the account's email provider and signs in, without sending an email. Takes up to 15 seconds. */
  @Post('test')
  @HttpCode(200)
  @OperationId('testEmailProvider')
  @Session('admin')
  @ApiOkResponse({ type: ProviderCheckResponse })
  async test(@CurrentCaller() { accountId }: SessionCaller): Promise<ProviderCheckResponse> {
    return ProviderCheckResponse.from(await this.checkProvider.check(accountId));
  }
}
