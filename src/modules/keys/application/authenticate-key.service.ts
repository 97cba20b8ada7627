import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import type { ErrorCode } from '../../../shared/error-codes.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { Scope } from '../../../shared/permissions.js';
import { type ApiKey, hashSecret } from '../domain/api-key.js';
import { ApiKeyRepository } from './ports/api-key.repository.js';

const USE_RECORDED_EVERY_MS = 60_000;

@Injectable()
export class AuthenticateKey {
  private readonly logger = new Logger(AuthenticateKey.name);

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  /** Callers rely on the order of the checks: known, not revoked, not expired, client address, scope. */
  async authenticate(secret: string | undefined, clientAddress: string, scope: Scope): Promise<ApiKey> {
    if (!secret) throw unauthenticated('missing_api_key', 'Missing API key');
    const key = await this.keys.findBySecretAcrossAccounts(hashSecret(secret));
    const now = this.clock.now();
    if (!key || key.statusAt(now) === 'revoked') throw unauthenticated('invalid_api_key', 'Invalid API key');
    if (key.statusAt(now) === 'expired') throw unauthenticated('expired_api_key', 'API key expired');
    if (!key.admits(clientAddress)) throw unauthenticated('ip_denied', 'API key denied for this client IP');
    if (!key.scopes.includes(scope)) {
      throw new DomainError('forbidden', 'missing_scope', `API key is missing required scope: ${scope}`);
    }
    this.recordUse(key, now);
    return key;
  }

  /** Runs in the background: the request neither waits for it nor fails with it. */
  private recordUse(key: ApiKey, now: Date): void {
    const recentlyRecorded = new Date(now.getTime() - USE_RECORDED_EVERY_MS);
    if (key.lastUsedAt && key.lastUsedAt > recentlyRecorded) return;
    this.keys.recordUseAcrossAccounts(key.id, now, recentlyRecorded).catch((error: unknown) => {
      this.logger.warn(`The use of key ${key.id} was not recorded: ${(error as Error).message}`);
    });
  }
}

const unauthenticated = (code: ErrorCode, message: string) => new DomainError('unauthenticated', code, message);
