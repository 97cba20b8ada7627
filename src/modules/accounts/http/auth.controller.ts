import { Body, Controller, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { Public, Session } from '../../../platform/http/access/access.js';
import { CurrentCaller, type SessionCaller } from '../../../platform/http/access/caller.js';
import { ApiErrors } from '../../../platform/http/api-errors.js';
import { ErrorResponse } from '../../../platform/http/error.response.js';
import { OperationId } from '../../../platform/http/operation-id.js';
import { AccountDirectory } from '../application/account-directory.service.js';
import { ChangePassword } from '../application/change-password.service.js';
import { LogIn, type NewSession } from '../application/log-in.service.js';
import { ManageUsers } from '../application/manage-users.service.js';
import { ChangePasswordDto } from './dto/change-password.dto.js';
import { LoginDto } from './dto/login.dto.js';
import { LoginClients } from './login-clients.js';
import { LoginResponse, SessionResponse } from './session.response.js';

@Controller('api/auth')
@ApiTags('Sessions')
export class AuthController {
  constructor(
    private readonly logIn: LogIn,
    private readonly users: ManageUsers,
    private readonly accounts: AccountDirectory,
    private readonly changePassword: ChangePassword,
    private readonly clients: LoginClients,
  ) {}

  /**
   * Starts a dashboard session. If the email belongs to users of several accounts, the password selects the account; if
   * several have the same password, the oldest is selected unless `accountId` names another. After 10 failed logins for
   * an email within 15 minutes, further logins for it are refused until the 15 minutes are over. Each browser in which
   * the user has signed in before (recognised by a cookie) has its own count. A client may fail 200 times in 15 minutes
   * for all emails.
   */
  @Post('login')
  @OperationId('logIn')
  @HttpCode(200)
  @Public()
  @ApiOkResponse({ type: LoginResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiUnauthorizedResponse({ type: ErrorResponse, description: 'The email or the password is wrong' })
  @ApiTooManyRequestsResponse({
    type: ErrorResponse,
    description: 'Too many failed logins for this email or from this client',
  })
  @ApiErrors({ unauthenticated: 'Invalid email or password', rate_limited: 'Too many failed logins for this address' })
  async login(
    @Body() body: LoginDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    const session = await this.logIn.logIn(body, this.clients.identify(request));
    this.clients.remember(request, response, session.user);
    return this.describe(session);
  }

  /** Gets the signed-in user and the account. */
  @Get('me')
  @OperationId('getSession')
  @Session()
  @ApiOkResponse({ type: SessionResponse })
  async me(@CurrentCaller() { accountId, userId }: SessionCaller): Promise<SessionResponse> {
    const [user, account] = await Promise.all([this.users.get(accountId, userId), this.accounts.get(accountId)]);
    return SessionResponse.from(user, account);
  }

  /**
   * Changes the caller's own password. All sessions of the user end; the response holds the token of a new one. A wrong
   * current password counts as a failed login.
   */
  @Patch('me')
  @Session()
  @ApiOkResponse({ type: LoginResponse })
  @ApiBadRequestResponse({ type: ErrorResponse, description: 'Invalid request, or currentPassword is wrong' })
  @ApiConflictResponse({ type: ErrorResponse, description: 'Another request changed the password in the meantime' })
  @ApiTooManyRequestsResponse({
    type: ErrorResponse,
    description: 'Too many failed logins for this email or from this client',
  })
  @ApiErrors({
    conflict: 'The password was changed meanwhile',
    rate_limited: 'Too many failed logins for this address',
  })
  async updatePassword(
    @CurrentCaller() { accountId, userId }: SessionCaller,
    @Body() body: ChangePasswordDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    const session = await this.changePassword.change(accountId, userId, body, this.clients.identify(request));
    this.clients.remember(request, response, session.user);
    return this.describe(session);
  }

  private async describe({ user, accessToken, lifetimeSeconds }: NewSession): Promise<LoginResponse> {
    const session = SessionResponse.from(user, await this.accounts.get(user.accountId));
    return { accessToken, tokenType: 'Bearer', expiresIn: lifetimeSeconds, ...session };
  }
}
