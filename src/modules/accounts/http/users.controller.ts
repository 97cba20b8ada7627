import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
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
import { ManageUsers } from '../application/manage-users.service.js';
import { ChangeUserDto } from './dto/change-user.dto.js';
import { CreateUserDto } from './dto/create-user.dto.js';
import { UserPageResponse, UserResponse } from './user.response.js';

@Controller('api/users')
@ApiTags('Users')
export class UsersController {
  constructor(private readonly users: ManageUsers) {}

  /** Adds a user to the account. */
  @Post()
  @Session('admin')
  @ApiCreatedResponse({ type: UserResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: 'A user of the account already has the email' })
  @ApiErrors({ conflict: 'A user with the email ada@example.com exists already' })
  async create(@CurrentCaller() { accountId }: SessionCaller, @Body() body: CreateUserDto): Promise<UserResponse> {
    return UserResponse.from(await this.users.create(accountId, body));
  }

  /** Lists the account's users, newest first. */
  @Get()
  @Session('admin')
  @ApiOkResponse({ type: UserPageResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  async list(@CurrentCaller() { accountId }: SessionCaller, @Query() page: PageDto): Promise<UserPageResponse> {
    return UserPageResponse.from(await this.users.list(accountId, page));
  }

  /** Changes a user. A new password ends the user's sessions; a new role applies from their next request. */
  @Patch(':id')
  @Session('admin')
  @ApiOkResponse({ type: UserResponse })
  @ApiBadRequestResponse({ type: ErrorResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({
    type: ErrorResponse,
    description: "The email is taken, or the user is the account's last admin",
  })
  @ApiErrors({ conflict: 'A user with the email ada@example.com exists already' })
  async change(
    @CurrentCaller() { accountId }: SessionCaller,
    @Param('id') id: string,
    @Body() body: ChangeUserDto,
  ): Promise<UserResponse> {
    return UserResponse.from(await this.users.change(accountId, id, body));
  }

  /** Removes a user and ends their sessions. */
  @Delete(':id')
  @Session('admin')
  @ApiOkResponse({ type: UserResponse })
  @ApiNotFoundResponse({ type: ErrorResponse })
  @ApiConflictResponse({ type: ErrorResponse, description: "The user is the account's last admin" })
  @ApiErrors({ conflict: 'The last admin of an account cannot be removed' })
  async remove(@CurrentCaller() { accountId }: SessionCaller, @Param('id') id: string): Promise<UserResponse> {
    return UserResponse.from(await this.users.remove(accountId, id));
  }
}
