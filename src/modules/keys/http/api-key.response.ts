import { ApiProperty } from '@nestjs/swagger';

import { type Page } from '../../../shared/page.js';
import { type Scope, SCOPES } from '../../../shared/scopes.js';
import { type ApiKey, API_KEY_STATUSES, type ApiKeyStatus } from '../domain/api-key.js';

export class ApiKeyResponse {
  id!: string;
  name!: string;

  /** The first 8 characters of the secret. */
  prefix!: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes!: Scope[];

  expiresAt!: Date | null;
  ipAllowlist!: string[];
  dailyLimit!: number | null;

  @ApiProperty({ enum: API_KEY_STATUSES })
  status!: ApiKeyStatus;

  createdAt!: Date;

  /** Accurate to the minute. */
  lastUsedAt!: Date | null;
  revokedAt!: Date | null;

  static from(key: ApiKey, now: Date): ApiKeyResponse {
    return {
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      scopes: key.scopes,
      expiresAt: key.expiresAt,
      ipAllowlist: key.ipAllowlist,
      dailyLimit: key.dailyLimit,
      status: key.statusAt(now),
      createdAt: key.createdAt,
      lastUsedAt: key.lastUsedAt,
      revokedAt: key.revokedAt,
    };
  }
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  /**
   * Returned only once; the service stores only its SHA-256.
   * @example "sk_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
   */
  secret!: string;
}

export class ApiKeyPageResponse {
  items!: ApiKeyResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<ApiKey>, now: Date): ApiKeyPageResponse {
    return { items: items.map((key) => ApiKeyResponse.from(key, now)), ...page };
  }
}
