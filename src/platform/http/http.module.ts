import { Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';

import { CsvDownloads } from '../csv/csv-downloads.js';
import { AccessGuard } from './access/access.guard.js';
import { AccessMarkerCheck } from './access/access-marker-check.js';
import { ClientAddress } from './access/client-address.js';
import { ErrorFilter } from './error.filter.js';
import { HttpDrain } from './http-drain.js';
import { LoadGuard } from './load.guard.js';
import { OperationsController } from './operations.controller.js';
import { BodyMemory } from './large-body/body-memory.js';
import { LargeBodyReader } from './large-body/large-body.reader.js';
import { ProtocolErrors } from './protocol-errors.js';
import { ReadLimiter } from './read-limiter.js';
import { RequestLog } from './request-log.js';
import { RequestPipeline } from './request-pipeline.js';
import { UnknownPageFilter } from './unknown-page.filter.js';
import { createValidationPipe } from './validation.js';

/** The parts that all routes share: request log, guards, body parsing, validation, error responses. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [OperationsController],
  providers: [
    ClientAddress,
    AccessMarkerCheck,
    CsvDownloads,
    HttpDrain,
    ProtocolErrors,
    RequestPipeline,
    ReadLimiter,
    BodyMemory,
    LargeBodyReader,
    // Nest asks the last one first.
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_FILTER, useClass: UnknownPageFilter },
    { provide: APP_GUARD, useClass: LoadGuard },
    AccessGuard,
    { provide: APP_GUARD, useExisting: AccessGuard },
    { provide: APP_PIPE, useFactory: createValidationPipe },
  ],
  exports: [AccessGuard, BodyMemory, CsvDownloads, LargeBodyReader, ReadLimiter],
})
export class HttpModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(RequestLog).forRoutes('{*path}');
  }
}
