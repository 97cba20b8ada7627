import { Injectable } from '@nestjs/common';

import { ProviderDirectory } from '../../accounts/index.js';

/** Programs that send need not know which machines an account's mail goes through. */
@Injectable()
export class RelayHosts {
  constructor(private readonly providers: ProviderDirectory) {}

  /** The names to be hidden from those who hold a key of the account. */
  of(accountId: string): Promise<string[]> {
    return this.providers.relayHosts(accountId);
  }
}
