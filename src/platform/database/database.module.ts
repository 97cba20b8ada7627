import {
  Global,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DataSource, type EntitySchema } from 'typeorm';

import { Config } from '../../config/config.js';
import { AccountChanges } from '../../shared/ports/account-changes.js';
import { DatabaseFaults } from '../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../shared/ports/transaction-runner.js';
import { createDataSource, migrate } from './data-source.js';
import { Database, poolOf } from './database.js';
import { PostgresAccountChanges } from './postgres-account-changes.js';
import { POSTGRES_FAULTS } from './postgres-errors.js';
import { reachDatabase } from './reach-database.js';
import { ReadReplica } from './read-replica.js';

@Global()
@Module({})
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Connects and brings the schema up to date before anything else starts. */
  static register(entities: EntitySchema[]): DynamicModule {
    const connect = async (config: Config): Promise<DataSource> => {
      const dataSource = createDataSource(config.databaseUrl, entities, config.databasePoolSize);
      await reachDatabase(config, warn, async () => {
        if (!dataSource.isInitialized) await dataSource.initialize();
        await migrate(dataSource, warn);
      });
      return dataSource;
    };
    return {
      module: DatabaseModule,
      providers: [
        { provide: DataSource, useFactory: connect, inject: [Config] },
        { provide: Database, useFactory: openDatabase, inject: [DataSource, Config] },
        { provide: TransactionRunner, useExisting: Database },
        { provide: AccountChanges, useClass: PostgresAccountChanges },
        { provide: DatabaseFaults, useValue: POSTGRES_FAULTS },
      ],
      exports: [DataSource, Database, TransactionRunner, AccountChanges, DatabaseFaults],
    };
  }

  onApplicationBootstrap(): void {
    this.database.pool.options.connectionTimeoutMillis = this.config.databaseConnectTimeoutMs;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.replica?.stop();
    await this.dataSource.destroy();
  }
}

const warn = (line: string): void => {
  new Logger('Database').warn(line);
};

const openDatabase = (dataSource: DataSource, { databaseReadUrl, databasePoolSize }: Config): Database =>
  new Database(
    dataSource,
    databaseReadUrl === undefined ? null : ReadReplica.open(poolOf(dataSource), databaseReadUrl, databasePoolSize),
  );
