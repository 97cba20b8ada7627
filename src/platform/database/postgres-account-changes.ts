import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';

import { AccountChanges, type AccountChangeListener } from '../../shared/ports/account-changes.js';
import { Database } from './database.js';

const CHANNEL = 'account_changes';
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_AFTER_MS = 1_000;

/**
 * Uses LISTEN/NOTIFY on a dedicated connection, because a pooled one would be returned. Notifications sent while the
 * connection is down are lost, so listeners discard everything when it is back.
 */
@Injectable()
export class PostgresAccountChanges extends AccountChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('AccountChanges');
  private readonly listeners: AccountChangeListener[] = [];
  private client: Client | null = null;
  private connecting: Promise<void> = Promise.resolve();
  private retry: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(private readonly database: Database) {
    super();
  }

  async announce(accountId: string): Promise<void> {
    await this.database.query('SELECT pg_notify($1, $2)', [CHANNEL, accountId]);
    this.database.afterCommit(() => {
      this.report(accountId);
    });
  }

  onChange(listener: AccountChangeListener): void {
    this.listeners.push(listener);
  }

  onApplicationBootstrap(): Promise<void> {
    this.connecting = this.connect();
    return this.connecting;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.retry) clearTimeout(this.retry);
    await this.connecting;
    const { client } = this;
    this.client = null;
    await client?.end();
  }

  private async connect(): Promise<void> {
    if (this.isStopped) return;
    const client = new Client({
      connectionString: this.database.url,
      application_name: 'delivery-service-changes',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ payload }) => {
      this.report(payload ?? null);
    });
    client.on('error', (error) => {
      this.lose(client, error);
    });
    client.on('end', () => {
      this.lose(client, new Error('the connection was closed'));
    });
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.report(null);
    } catch (error) {
      this.lose(client, error as Error);
    }
  }

  /** May be called twice for a connection, for its error and for its end. */
  private lose(client: Client, error: Error): void {
    if (this.client !== client) return;
    this.client = null;
    client.end().catch(() => undefined); // the connection is broken anyway
    if (this.isStopped) return;
    this.logger.warn(`Not listening for account changes, reconnecting: ${error.message}`);
    this.report(null);
    this.retry = setTimeout(() => {
      this.connecting = this.connect();
    }, RECONNECT_AFTER_MS);
    this.retry.unref();
  }

  private report(accountId: string | null): void {
    for (const listener of this.listeners) listener(accountId);
  }
}
