import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import type { EntitySchema } from 'typeorm';

import { Config } from '../config/config.js';
import { Clock } from '../shared/ports/clock.js';
import { Random } from '../shared/ports/random.js';
import { SecretBox } from '../shared/ports/secret-box.js';
import { AesSecretBox } from './crypto/aes-secret-box.js';
import { DatabaseClock } from './database/database-clock.js';
import { Database } from './database/database.js';
import { DatabaseModule } from './database/database.module.js';
import { QueueModule } from './queue/queue.module.js';
import { RateSlots } from './rate-limit/rate-slots.js';
import { OncePerCluster } from './scheduling/once-per-cluster.js';
import { Outbox } from '../shared/ports/outbox.js';
import { SqlOutbox } from './outbox/sql-outbox.js';
import { SesClients, SnsClients } from './aws/aws-clients.js';
import { SmtpTransports } from './smtp/smtp-transports.js';
import { SystemRandom } from './system.js';

/** The adapters of the shared ports, for every module. */
@Global()
@Module({})
export class PlatformModule {
  static register(entities: EntitySchema[]): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ScheduleModule.forRoot(), DatabaseModule.register(entities), QueueModule],
      providers: [
        { provide: Clock, useFactory: (database: Database) => DatabaseClock.start(database), inject: [Database] },
        { provide: Random, useClass: SystemRandom },
        { provide: SecretBox, useFactory: (config: Config) => new AesSecretBox(config.appSecret), inject: [Config] },
        OncePerCluster,
        RateSlots,
        SesClients,
        SnsClients,
        { provide: Outbox, useClass: SqlOutbox },
        SmtpTransports,
      ],
      exports: [Clock, Random, SecretBox, OncePerCluster, Outbox, RateSlots, SesClients, SnsClients, SmtpTransports],
    };
  }
}
