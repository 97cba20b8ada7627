import { Global, Module } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { NoTracing, Tracing } from './tracing.js';

/** Loads the packages of OpenTelemetry only if traces are exported. */
async function createTracing({ tracesProtocol }: Config): Promise<Tracing> {
  if (tracesProtocol === null) return new NoTracing();
  const [{ OtlpTracing }, { OTLPTraceExporter }] = await Promise.all([
    import('./otlp-tracing.js'),
    tracesProtocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  return new OtlpTracing(new OTLPTraceExporter());
}

@Global()
@Module({
  providers: [{ provide: Tracing, useFactory: createTracing, inject: [Config] }],
  exports: [Tracing],
})
export class TracingModule {}
