import { Global, Module } from '@nestjs/common';

import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';
import { RequestsInFlight } from './requests-in-flight.js';

@Global()
@Module({ providers: [Metrics, Readiness, RequestsInFlight], exports: [Metrics, Readiness, RequestsInFlight] })
export class MetricsModule {}
