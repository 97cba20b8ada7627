import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import type { Config } from '../../../config/config.js';
import { type Page } from '../../../shared/page.js';
import { KEY_MODES, type KeyMode } from '../../../shared/key-mode.js';
import { type Scope, SCOPES } from '../../../shared/permissions.js';
import { type ApiKey, API_KEY_STATUSES, type ApiKeyStatus } from '../domain/api-key.js';

export class ApiKeyResponse {
  id!: string;
  /** @example "Web shop" */
  name!: string;

  /** What the key sends with `test` is simulated and reaches nobody. */
  @ApiProperty({ enum: KEY_MODES })
  mode!: KeyMode;

  /**
   * The first 8 characters of the secret; of a test key the first 13.
   * @example "sk_3q2-7"
   */
  prefix!: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes!: Scope[];

  expiresAt!: Date | null;
  /** @example ["192.0.2.7"] */
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
      mode: key.mode,
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

export class SmtpAccessResponse {
  /** @example "mail.example.com" */
  host!: string;

  /** The port for STARTTLS, or for connections without TLS if `startTls` is false; null without one. */
  @ApiProperty({ type: 'integer', nullable: true })
  port!: number | null;

  /** The port with TLS from the beginning; null without one. */
  @ApiProperty({ type: 'integer', nullable: true })
  tlsPort!: number | null;

  /** Whether `port` offers STARTTLS. Otherwise keys and mail cross the network unencrypted there. */
  startTls!: boolean;

  /**
   * Any user name is accepted.
   * @example "apikey"
   */
  username!: string;

  /** Null if the installation accepts no mail by SMTP. */
  static from({ smtpAccess, baseUrl }: Pick<Config, 'smtpAccess' | 'baseUrl'>): SmtpAccessResponse | null {
    return smtpAccess && { host: new URL(baseUrl).hostname, ...smtpAccess, username: 'apikey' };
  }
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  /**
   * Returned only once; the service stores only its SHA-256.
   * @example "sk_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
   */
  secret!: string;

  /** For programs that send by SMTP, the secret being the password. Only if key and installation allow it. */
  @ApiPropertyOptional({ type: SmtpAccessResponse })
  smtp?: SmtpAccessResponse;
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
