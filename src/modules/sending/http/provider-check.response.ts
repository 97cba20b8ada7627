import { ApiProperty } from '@nestjs/swagger';

import { EMAIL_PROVIDERS, type EmailProviderKind } from '../../../shared/account-provider.js';
import type { ProviderCheckResult } from '../application/check-provider.service.js';

export class ProviderCheckResponse {
  /** Whether the provider accepts the settings. */
  ok!: boolean;

  /** The provider that was checked; null if none is configured. */
  @ApiProperty({ enum: EMAIL_PROVIDERS, nullable: true })
  provider!: EmailProviderKind | null;

  /** Why no email can be sent; null if `ok`. */
  error!: string | null;

  static from({ provider, fault }: ProviderCheckResult): ProviderCheckResponse {
    return { ok: fault === null, provider, error: fault };
  }
}
