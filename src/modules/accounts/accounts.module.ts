import { Global, Module } from '@nestjs/common';

import { ClientAddress } from '../../platform/http/access/client-address.js';
import { SessionAuthenticator } from '../../platform/http/access/authenticators.js';
import { AccountDirectory } from './application/account-directory.service.js';
import { AuthenticateSession } from './application/authenticate-session.service.js';
import { ChangePassword } from './application/change-password.service.js';
import { ChangeSettings } from './application/change-settings.service.js';
import { CreateAccount } from './application/create-account.service.js';
import { AccountRepository } from './application/ports/account.repository.js';
import { VerifyCredentials } from './application/verify-credentials.service.js';
import { LogIn } from './application/log-in.service.js';
import { LoginAttempts } from './application/login-attempts.service.js';
import { ManageUsers } from './application/manage-users.service.js';
import { KnownDevices } from './application/ports/known-devices.js';
import { LoginThrottles } from './application/ports/login-throttles.js';
import { PasswordHasher } from './application/ports/password-hasher.js';
import { PasswordHashing } from './application/ports/password-hashing.js';
import { AccountLock } from './application/ports/account-lock.js';
import { DeliveryPauses } from './application/ports/delivery-pauses.js';
import { EventSources } from './application/ports/event-sources.js';
import { ProviderDirectory } from './application/ports/provider-directory.js';
import { SmsAccountStatuses } from './application/ports/sms-account-statuses.js';
import { SessionTokens } from './application/ports/session-tokens.js';
import { UserRepository } from './application/ports/user.repository.js';
import { ShowSettings } from './application/show-settings.service.js';
import { AuthController } from './http/auth.controller.js';
import { JwtAuthenticator } from './http/jwt.authenticator.js';
import { LoginClients } from './http/login-clients.js';
import { SettingsController } from './http/settings.controller.js';
import { UsersController } from './http/users.controller.js';
import { Argon2PasswordHasher } from './infrastructure/argon2-password-hasher.js';
import { FairPasswordHashing } from './infrastructure/fair-password-hashing.js';
import { HmacKnownDevices } from './infrastructure/hmac-known-devices.js';
import { JwtSessionTokens } from './infrastructure/jwt-session-tokens.js';
import { SettingsProviderDirectory } from './infrastructure/settings-provider-directory.js';
import { SqlAccountLock } from './infrastructure/sql-account-lock.js';
import { SqlDeliveryPauses } from './infrastructure/sql-delivery-pauses.js';
import { SqlEventSources } from './infrastructure/sql-event-sources.js';
import { SqlLoginThrottles } from './infrastructure/sql-login-throttles.js';
import { SqlSmsAccountStatuses } from './infrastructure/sql-sms-account-statuses.js';
import { TypeOrmAccountRepository } from './infrastructure/typeorm-account.repository.js';
import { TypeOrmUserRepository } from './infrastructure/typeorm-user.repository.js';
import { AccountSchedules } from './jobs/account-schedules.js';
import { FirstAccountOnStart } from './jobs/first-account.on-start.js';

/** Global for the guard of all routes, which recognises sessions through it. */
@Global()
@Module({
  controllers: [AuthController, UsersController, SettingsController],
  providers: [
    AccountDirectory,
    AuthenticateSession,
    ChangePassword,
    ChangeSettings,
    ClientAddress,
    ShowSettings,
    CreateAccount,
    LogIn,
    LoginAttempts,
    LoginClients,
    VerifyCredentials,
    ManageUsers,
    AccountSchedules,
    FirstAccountOnStart,
    { provide: AccountLock, useClass: SqlAccountLock },
    { provide: AccountRepository, useClass: TypeOrmAccountRepository },
    { provide: UserRepository, useClass: TypeOrmUserRepository },
    { provide: ProviderDirectory, useClass: SettingsProviderDirectory },
    { provide: EventSources, useClass: SqlEventSources },
    { provide: DeliveryPauses, useClass: SqlDeliveryPauses },
    { provide: SmsAccountStatuses, useClass: SqlSmsAccountStatuses },
    { provide: SessionTokens, useClass: JwtSessionTokens },
    { provide: LoginThrottles, useClass: SqlLoginThrottles },
    { provide: KnownDevices, useClass: HmacKnownDevices },
    { provide: PasswordHashing, useClass: FairPasswordHashing },
    { provide: PasswordHasher, useClass: Argon2PasswordHasher },
    { provide: SessionAuthenticator, useClass: JwtAuthenticator },
  ],
  exports: [
    AccountLock,
    AccountDirectory,
    DeliveryPauses,
    EventSources,
    ProviderDirectory,
    SmsAccountStatuses,
    SessionAuthenticator,
    SessionTokens,
  ],
})
export class AccountsModule {}
