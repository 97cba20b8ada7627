import { Injectable } from '@nestjs/common';

import { ProviderDirectory } from '../../provider-settings/index.js';

/** Hides the relay's host names and IP addresses from API-key callers. */
@Injectable()
export class RelayHosts {
  constructor(private readonly providers: ProviderDirectory) {}

  /** The host names to be hidden from API-key callers. */
  of(accountId: string): Promise<string[]> {
    return this.providers.relayHosts(accountId);
  }
}
