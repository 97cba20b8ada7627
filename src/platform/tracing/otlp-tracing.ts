import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  defaultTextMapGetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';

import { type FinishedMail, type FinishedRequest, type FinishedWork, Tracing } from './tracing.js';

const DEFAULT_SERVICE_NAME = 'delivery';
/** A collector that does not respond must not use up the grace period of a stop. */
const SHUTDOWN_TIMEOUT_MS = 5_000;
/** At most one warning about an unavailable collector in this time. */
const WARN_EVERY_MS = 60_000;

/** The reply to a client when the service, or its database, has failed. */
const SMTP_FAILURE = 451;

interface OpenRequest {
  span: Span;
  startedAt: number;
}

/**
 * Creates spans at the places that log a unit of work. The SDK reads the remaining OTEL_ variables itself: sampler,
 * headers, batches, resource attributes.
 */
export class OtlpTracing extends Tracing implements OnApplicationShutdown {
  private readonly ids = new SubjectIds();
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly requests = new WeakMap<IncomingMessage, OpenRequest>();

  constructor(exporter: SpanExporter) {
    super();
    reportFaults();
    this.provider = new BasicTracerProvider({
      idGenerator: this.ids,
      resource: resourceFromAttributes({ 'service.name': DEFAULT_SERVICE_NAME }).merge(
        detectResources({ detectors: [envDetector] }),
      ),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.tracer = this.provider.getTracer(DEFAULT_SERVICE_NAME);
  }

  /** Continues the trace of a caller that sends `traceparent`. */
  beginRequest(request: IncomingMessage): void {
    const caller = this.propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const startedAt = Date.now();
    const span = this.tracer.startSpan('request', { kind: SpanKind.SERVER, startTime: startedAt }, caller);
    this.requests.set(request, { span, startedAt });
  }

  endRequest(request: IncomingMessage, { method, route, status, accountId }: FinishedRequest): void {
    const span = this.requests.get(request)?.span;
    if (!span) return;
    span.updateName(`${method} ${route}`);
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      ...(accountId === undefined ? {} : { 'account.id': accountId }),
    });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  acceptMessage(request: IncomingMessage, messageId: string, attributes: FinishedWork['attributes']): void {
    const open = this.requests.get(request);
    if (open) this.addAccepted(open, messageId, attributes);
  }

  recordMail({ code, messageIds, accountId, durationMs }: FinishedMail): void {
    const endedAt = Date.now();
    const startedAt = endedAt - durationMs;
    const attributes = { 'smtp.reply.code': code, 'account.id': accountId };
    const span = this.tracer.startSpan(
      'submit mail',
      { kind: SpanKind.SERVER, startTime: startedAt, attributes },
      ROOT_CONTEXT,
    );
    for (const id of messageIds) this.addAccepted({ span, startedAt }, id, { channel: 'email' });
    if (code === SMTP_FAILURE) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedAt);
  }

  record({ name, subjectId, attributes, isFailure, durationMs }: FinishedWork): void {
    const endedAt = Date.now();
    const span = this.startOf(subjectId, name, {
      kind: SpanKind.CLIENT,
      startTime: endedAt - durationMs,
      attributes,
    });
    if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedAt);
  }

  async onApplicationShutdown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, SHUTDOWN_TIMEOUT_MS)));
    await Promise.race([this.provider.shutdown().catch(() => undefined), timeout]);
    clearTimeout(timer);
  }

  private addAccepted(
    { span, startedAt }: OpenRequest,
    messageId: string,
    attributes: FinishedWork['attributes'],
  ): void {
    const accepted = this.startOf(messageId, 'accept message', {
      kind: SpanKind.PRODUCER,
      startTime: startedAt,
      links: [{ context: span.spanContext() }],
      attributes: { 'message.id': messageId, ...attributes },
    });
    span.addLink({ context: accepted.spanContext() });
    accepted.end();
  }

  /** A root span in the subject's trace: the sampler decides by the id of the trace, thus the same for all of them. */
  private startOf(subjectId: string, name: string, options: Parameters<Tracer['startSpan']>[1]): Span {
    return this.ids.within(subjectId, () => this.tracer.startSpan(name, { ...options, root: true }, ROOT_CONTEXT));
  }
}

/** Random ids, except for the traces of subjects. */
class SubjectIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private traceId: string | undefined;

  generateTraceId(): string {
    return this.traceId ?? this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.random.generateSpanId();
  }

  /** Uses the trace id of the subject for the root span that `start` begins, synchronously. */
  within(subjectId: string, start: () => Span): Span {
    this.traceId = createHash('sha256').update(subjectId).digest('hex').slice(0, 32);
    try {
      return start();
    } finally {
      this.traceId = undefined;
    }
  }
}

/** Logs the faults that the SDK reports, once a minute at most. */
function reportFaults(): void {
  const logger = new Logger(OtlpTracing.name);
  let warnedAt = -Infinity;
  const warn = (message: string) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    logger.warn(message);
  };
  const ignore = () => undefined;
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}
