import { Injectable } from '@nestjs/common';

import { isSimulated, Providers, UnknownProviderError } from '../../../providers/index.js';
import type { EmailProviderKind } from '../../../shared/account-provider.js';
import { ProviderDirectory } from '../../provider-settings/index.js';

export interface ProviderCheckResult {
  /** Null if none is configured. */
  provider: EmailProviderKind | null;
  /** Why no email can be submitted; null if the provider accepts the account's settings. */
  fault: string | null;
}

@Injectable()
export class CheckProvider {
  constructor(
    private readonly directory: ProviderDirectory,
    private readonly providers: Providers,
  ) {}

  /** Connects to the account's email provider and signs in, without sending anything. Never throws its errors. */
  async check(accountId: string): Promise<ProviderCheckResult> {
    const connection = await this.directory.find(accountId).catch((error: unknown) => {
      if (error instanceof UnknownProviderError) return error;
      throw error;
    });
    if (connection instanceof UnknownProviderError) return { provider: null, fault: connection.detail };
    if (!connection || isSimulated(connection)) return { provider: null, fault: 'No email provider is configured' };
    const fault = await this.providers.email(connection).findFault?.(connection);
    return { provider: connection.kind, fault: fault ?? null };
  }
}
