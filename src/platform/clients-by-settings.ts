import { createHash } from 'node:crypto';

import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

interface Options<Settings, Client> {
  open: (settings: Settings) => Client;
  close: (client: Client) => void;
  /** Above this number, the least recently used client is closed. */
  max: number;
  /** The time that the work of an evicted client may take: it is closed afterwards, at once if not given. */
  busyForMs?: number;
}

/** One client per distinct settings, which several accounts may share. Changed settings get a new client. */
export abstract class ClientsBySettings<Settings, Client extends object> implements OnApplicationShutdown {
  /** The clients by a hash of their settings, because these hold secrets. */
  private readonly clients: LRUCache<string, Client>;

  protected constructor(private readonly options: Options<Settings, Client>) {
    const { max, close, busyForMs = 0 } = options;
    this.clients = new LRUCache({
      max,
      dispose: (client, _hash, reason) => {
        if (reason === 'evict' && busyForMs > 0) setTimeout(close, busyForMs, client).unref();
        else close(client);
      },
    });
  }

  get(settings: Settings): Client {
    const hash = createHash('sha256').update(JSON.stringify(settings)).digest('base64');
    const cached = this.clients.get(hash);
    if (cached) return cached;
    const client = this.options.open(settings);
    this.clients.set(hash, client);
    return client;
  }

  onApplicationShutdown(): void {
    this.clients.clear();
  }
}
