import { Global, Module } from '@nestjs/common';

import { KeyAuthenticator } from '../../platform/http/access/authenticators.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthenticateKey } from './application/authenticate-key.service.js';
import { ManageKeys } from './application/manage-keys.service.js';
import { ApiKeyRepository } from './application/ports/api-key.repository.js';
import { ApiKeyAuthenticator } from './http/api-key.authenticator.js';
import { ApiKeysController } from './http/api-keys.controller.js';
import { TypeOrmApiKeyRepository } from './infrastructure/typeorm-api-key.repository.js';

/** Global because the guard of all routes authenticates keys through it. */
@Global()
@Module({
  imports: [AccountsModule],
  controllers: [ApiKeysController],
  providers: [
    ManageKeys,
    AuthenticateKey,
    { provide: ApiKeyRepository, useClass: TypeOrmApiKeyRepository },
    { provide: KeyAuthenticator, useClass: ApiKeyAuthenticator },
  ],
  exports: [AuthenticateKey, KeyAuthenticator],
})
export class KeysModule {}
