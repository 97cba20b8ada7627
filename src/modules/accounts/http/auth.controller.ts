import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';

import { Public, Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { AccountDirectory } from '../application/account-directory.service.js';
import { LogIn } from '../application/log-in.service.js';
import { ManageUsers } from '../application/manage-users.service.js';
import { LoginDto } from './dto/login.dto.js';
import { LoginResponse, SessionResponse } from './session.response.js';

@Controller('api/auth')
@ApiTags('Sessions')
export class AuthController {
  constructor(
    private readonly logIn: LogIn,
    private readonly users: ManageUsers,
    private readonly accounts: AccountDirectory,
  ) {}

  /** Begins a dashboard session. After 10 failures for an address it takes no more logins for it for up to 15 minutes. */
  @Post('login')
  @OperationId('logIn')
  @HttpCode(200)
  @Public()
  @ApiOkResponse({ type: LoginResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiUnauthorizedResponse({ type: ErrorResponse, description: 'The email or the password is wrong' })
  @ApiTooManyRequestsResponse({
    type: ErrorResponse,
    description: 'Too many failed logins for this address',
    headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
  })
  async login(@Body() { email, password }: LoginDto): Promise<LoginResponse> {
    const { user, accessToken, lifetimeSeconds } = await this.logIn.logIn(email, password);
    const session = SessionResponse.from(user, await this.accounts.get(user.accountId));
    return { accessToken, tokenType: 'Bearer', expiresIn: lifetimeSeconds, ...session };
  }

  /** Who is signed in. */
  @Get('me')
  @OperationId('getSession')
  @Session()
  @ApiOkResponse({ type: SessionResponse })
  async me(@CurrentCaller() { accountId, userId }: SessionCaller): Promise<SessionResponse> {
    const [user, account] = await Promise.all([this.users.get(accountId, userId), this.accounts.get(accountId)]);
    return SessionResponse.from(user, account);
  }
}
