import { Global, Module } from '@nestjs/common';

import { ClientAddress } from '../../platform/http/access/client-address.js';
import { SessionAuthenticator } from '../../platform/http/access/authenticators.js';
import { AccountDirectory } from './application/account-directory.service.js';
import { AuthenticateSession } from './application/authenticate-session.service.js';
import { ChangePassword } from './application/change-password.service.js';
import { CreateAccount } from './application/create-account.service.js';
import { OpenTestAccount } from './application/open-test-account.service.js';
import { AccountRepository } from './application/ports/account.repository.js';
import { VerifyCredentials } from './application/verify-credentials.service.js';
import { LogIn } from './application/log-in.service.js';
import { LoginAttempts } from './application/login-attempts.service.js';
import { ManageUsers } from './application/manage-users.service.js';
import { KnownDevices } from './application/ports/known-devices.js';
import { Throttles } from './application/ports/throttles.js';
import { PasswordHasher, PasswordHashingQueue } from './application/ports/password-hasher.js';
import { SessionTokens } from './application/ports/session-tokens.js';
import { UserRepository } from './application/ports/user.repository.js';
import { AuthController } from './http/auth.controller.js';
import { JwtAuthenticator } from './http/jwt.authenticator.js';
import { LoginClients } from './http/login-clients.js';
import { UsersController } from './http/users.controller.js';
import { Argon2PasswordHasher } from './infrastructure/argon2-password-hasher.js';
import { FairPasswordHashingQueue } from './infrastructure/fair-password-hashing-queue.js';
import { HmacKnownDevices } from './infrastructure/hmac-known-devices.js';
import { JwtSessionTokens } from './infrastructure/jwt-session-tokens.js';
import { SqlThrottles } from './infrastructure/sql-throttles.js';
import { TypeOrmAccountRepository } from './infrastructure/typeorm-account.repository.js';
import { TypeOrmUserRepository } from './infrastructure/typeorm-user.repository.js';
import { AccountSchedules } from './jobs/account-schedules.js';
import { FirstAccountOnStart } from './jobs/first-account.on-start.js';

/** Global, because the guard of all routes authenticates sessions through it. */
@Global()
@Module({
  controllers: [AuthController, UsersController],
  providers: [
    AccountDirectory,
    AuthenticateSession,
    ChangePassword,
    ClientAddress,
    CreateAccount,
    LogIn,
    LoginAttempts,
    LoginClients,
    VerifyCredentials,
    ManageUsers,
    OpenTestAccount,
    AccountSchedules,
    FirstAccountOnStart,
    { provide: AccountRepository, useClass: TypeOrmAccountRepository },
    { provide: UserRepository, useClass: TypeOrmUserRepository },
    { provide: SessionTokens, useClass: JwtSessionTokens },
    { provide: Throttles, useClass: SqlThrottles },
    { provide: KnownDevices, useClass: HmacKnownDevices },
    { provide: PasswordHashingQueue, useClass: FairPasswordHashingQueue },
    { provide: PasswordHasher, useClass: Argon2PasswordHasher },
    { provide: SessionAuthenticator, useClass: JwtAuthenticator },
  ],
  exports: [AccountDirectory, AccountRepository, Throttles, OpenTestAccount, SessionAuthenticator, SessionTokens],
})
export class AccountsModule {}
