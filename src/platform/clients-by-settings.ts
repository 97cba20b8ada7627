import { createHash } from 'node:crypto';

import type { OnApplicationShutdown } from '@nestjs/common';

interface Options<Settings, Client> {
  open: (settings: Settings) => Client;
  close: (client: Client) => void;
  /** Beyond that the one that was used longest ago is closed. */
  max: number;
  /** For clients that must not be closed while work of theirs is under way: how long that takes at most. */
  busyForMs?: number;
}

/** A client for each settings in use, which may be many accounts'. Settings that change get a new one. */
export abstract class ClientsBySettings<Settings, Client> implements OnApplicationShutdown {
  /** In the order of last use, by hashes: the settings hold secrets. */
  private readonly clients = new Map<string, Client>();

  protected constructor(private readonly options: Options<Settings, Client>) {}

  of(settings: Settings): Client {
    const key = createHash('sha256').update(JSON.stringify(settings)).digest('base64');
    const client = this.clients.get(key) ?? this.options.open(settings);
    this.clients.delete(key);
    this.clients.set(key, client);
    if (this.clients.size > this.options.max) this.closeLeastUsed();
    return client;
  }

  onApplicationShutdown(): void {
    for (const client of this.clients.values()) this.options.close(client);
  }

  private closeLeastUsed(): void {
    const { close, busyForMs = 0 } = this.options;
    for (const [key, client] of this.clients) {
      this.clients.delete(key);
      if (busyForMs === 0) close(client);
      else setTimeout(close, busyForMs, client).unref();
      return;
    }
  }
}
