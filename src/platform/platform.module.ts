import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import type { EntitySchema } from 'typeorm';

import { Config } from '../config/config.js';
import { Clock } from '../shared/ports/clock.js';
import { Random } from '../shared/ports/random.js';
import { SecretBox } from '../shared/ports/secret-box.js';
import { AesSecretBox } from './crypto/aes-secret-box.js';
import { InstallationKeys } from './crypto/installation-keys.js';
import type { SealedPlace } from './crypto/seal-anew.js';
import { DatabaseClock } from './database/database-clock.js';
import { Database } from './database/database.js';
import { DatabaseModule } from './database/database.module.js';
import { retryWhileUnreachable } from './database/reach-database.js';
import type { Past } from './past.js';
import { QueueModule } from './queue/queue.module.js';
import { RateSlots } from './rate-limit/rate-slots.js';
import { OncePerCluster } from './scheduling/once-per-cluster.js';
import { Outbox } from '../shared/ports/outbox.js';
import { SqlOutbox } from './outbox/sql-outbox.js';
import { SesClients, SnsClients } from './aws/aws-clients.js';
import { SmtpRelays } from './smtp/smtp-relays.js';
import { SystemRandom } from './system.js';

/** The adapters of the shared ports, for every module. */
@Global()
@Module({})
export class PlatformModule {
  static register(entities: EntitySchema[], sealedPlaces: readonly SealedPlace[], past?: Past): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ScheduleModule.forRoot(), DatabaseModule.register(entities), QueueModule.register(past?.queue)],
      providers: [
        {
          provide: DatabaseClock,
          useFactory: (database: Database, config: Config) =>
            retryWhileUnreachable(config, warn, () => DatabaseClock.start(database)),
          inject: [Database, Config],
        },
        past ? { provide: Clock, useValue: past.clock } : { provide: Clock, useExisting: DatabaseClock },
        { provide: Random, useClass: SystemRandom },
        { provide: SecretBox, useFactory: (config: Config) => new AesSecretBox(config), inject: [Config] },
        {
          provide: InstallationKeys,
          useFactory: (database: Database, config: Config) =>
            retryWhileUnreachable(config, warn, () => InstallationKeys.open(database, config, sealedPlaces)),
          inject: [Database, Config],
        },
        OncePerCluster,
        RateSlots,
        SesClients,
        SnsClients,
        { provide: Outbox, useClass: SqlOutbox },
        SmtpRelays,
      ],
      exports: [
        Clock,
        DatabaseClock,
        Random,
        SecretBox,
        InstallationKeys,
        OncePerCluster,
        Outbox,
        RateSlots,
        SesClients,
        SnsClients,
        SmtpRelays,
      ],
    };
  }
}

const warn = (line: string): void => {
  new Logger('Database').warn(line);
};
