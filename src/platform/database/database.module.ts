import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntitySchema } from 'typeorm';

import { Config } from '../../config/config.js';
import { AccountChanges } from '../../shared/ports/account-changes.js';
import { DatabaseFaults } from '../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../shared/ports/transaction-runner.js';
import { createDataSource, migrate } from './data-source.js';
import { Database, poolOf } from './database.js';
import { PostgresAccountChanges } from './postgres-account-changes.js';
import { POSTGRES_FAULTS, unusableDatabase } from './postgres-errors.js';
import { ReadReplica } from './read-replica.js';

@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  /** Connects and brings the schema up to date before anything else starts. */
  static register(entities: EntitySchema[]): DynamicModule {
    const connect = async (config: Config): Promise<DataSource> => {
      const dataSource = createDataSource(config.databaseUrl, entities, config.databasePoolSize);
      await dataSource.initialize().catch((error: unknown) => {
        throw unusableDatabase(config.databaseUrl, error);
      });
      await migrate(dataSource);
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

  async onApplicationShutdown(): Promise<void> {
    await this.database.replica?.stop();
    await this.dataSource.destroy();
  }
}

const openDatabase = (dataSource: DataSource, { databaseReadUrl, databasePoolSize }: Config): Database =>
  new Database(
    dataSource,
    databaseReadUrl === undefined ? null : ReadReplica.open(poolOf(dataSource), databaseReadUrl, databasePoolSize),
  );
