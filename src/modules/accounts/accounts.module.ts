import { Global, Module } from '@nestjs/common';

import { SessionAuthenticator } from '../../platform/http/access/authenticators.js';
import { AccountDirectory } from './application/account-directory.service.js';
import { AuthenticateSession } from './application/authenticate-session.service.js';
import { AccountRepository } from './application/ports/account.repository.js';
import { RelayDirectory } from './application/ports/relay-directory.js';
import { SessionTokens } from './application/ports/session-tokens.js';
import { UserRepository } from './application/ports/user.repository.js';
import { JwtAuthenticator } from './http/jwt.authenticator.js';
import { JwtSessionTokens } from './infrastructure/jwt-session-tokens.js';
import { SettingsRelayDirectory } from './infrastructure/settings-relay-directory.js';
import { TypeOrmAccountRepository } from './infrastructure/typeorm-account.repository.js';
import { TypeOrmUserRepository } from './infrastructure/typeorm-user.repository.js';

/** Global for the guard of all routes, which recognises sessions through it. */
@Global()
@Module({
  providers: [
    AccountDirectory,
    AuthenticateSession,
    { provide: AccountRepository, useClass: TypeOrmAccountRepository },
    { provide: UserRepository, useClass: TypeOrmUserRepository },
    { provide: RelayDirectory, useClass: SettingsRelayDirectory },
    { provide: SessionTokens, useClass: JwtSessionTokens },
    { provide: SessionAuthenticator, useClass: JwtAuthenticator },
  ],
  exports: [AccountDirectory, RelayDirectory, SessionAuthenticator, SessionTokens],
})
export class AccountsModule {}
