import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Config } from '../../../config/config.js';
import { Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { ChangeSettings } from '../application/change-settings.service.js';
import { ShowSettings } from '../application/show-settings.service.js';
import { ChangeSettingsDto } from './dto/change-settings.dto.js';
import { SettingsResponse } from './settings.response.js';

@Controller('api/settings')
@ApiTags('Settings')
export class SettingsController {
  constructor(
    private readonly showSettings: ShowSettings,
    private readonly changeSettings: ChangeSettings,
    private readonly config: Config,
  ) {}

  /** Gets the account's settings, without secrets, and the state of its deliveries. */
  @Get()
  @OperationId('getSettings')
  @Session()
  @ApiOkResponse({ type: SettingsResponse })
  get(@CurrentCaller() { accountId }: SessionCaller): Promise<SettingsResponse> {
    return this.show(accountId);
  }

  /** Changes the given settings and keeps the others. */
  @Patch()
  @OperationId('updateSettings')
  @Session('admin')
  @ApiOkResponse({ type: SettingsResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async change(
    @CurrentCaller() { accountId }: SessionCaller,
    @Body() body: ChangeSettingsDto,
  ): Promise<SettingsResponse> {
    await this.changeSettings.change(accountId, body);
    return this.show(accountId);
  }

  private async show(accountId: string): Promise<SettingsResponse> {
    return SettingsResponse.from(await this.showSettings.forAccount(accountId), this.config.warnings);
  }
}
