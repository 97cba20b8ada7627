import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Exports spans soon after they ended. */
const FLUSH_SOON = { OTEL_BSP_SCHEDULE_DELAY: '50' };

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  links: { traceId: string; spanId: string }[];
  attributes: Record<string, string | number>;
  isError: boolean;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}

interface OtlpSpan extends Pick<ReceivedSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId'> {
  links?: { traceId: string; spanId: string }[];
  attributes: Attribute[];
  status?: { code?: number };
}

interface OtlpRequest {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const ERROR_STATUS = 2;

/** A collector in this process that keeps what it is sent with OTLP/HTTP. */
export class TraceCollector {
  readonly posts: { path: string; contentType: string; body: string }[] = [];
  private variables: Record<string, string> = {};

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const contentType = request.headers['content-type'] ?? '';
        collector.posts.push({ path: request.url ?? '', contentType, body: body.toString('latin1') });
        response.writeHead(200, { 'Content-Type': contentType }).end(contentType.endsWith('json') ? '{}' : '');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const collector = new TraceCollector(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return collector;
  }

  /**
   * Sets the variables for a service that exports to the collector, and returns them. They are set in the environment
   * of this process, because the SDK reads that itself.
   */
  configure(more: Record<string, string> = {}): Record<string, string> {
    this.reset();
    this.variables = { OTEL_EXPORTER_OTLP_ENDPOINT: this.url, ...FLUSH_SOON, ...more };
    Object.assign(process.env, this.variables);
    return this.variables;
  }

  async stop(): Promise<void> {
    this.reset();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** The spans in the posts, which must be JSON. */
  spans(): ReceivedSpan[] {
    return this.requests().flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(toSpan))),
    );
  }

  resources(): ReceivedSpan['attributes'][] {
    return this.requests().flatMap(({ resourceSpans }) =>
      resourceSpans.map(({ resource }) => toAttributes(resource.attributes)),
    );
  }

  private requests(): OtlpRequest[] {
    return this.posts.map(({ body }) => JSON.parse(body) as OtlpRequest);
  }

  private reset(): void {
    for (const name of Object.keys(this.variables)) Reflect.deleteProperty(process.env, name);
    this.variables = {};
    this.posts.length = 0;
  }
}

const toAttributes = (attributes: Attribute[]): ReceivedSpan['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

const toSpan = ({ name, traceId, spanId, parentSpanId, links = [], attributes, status }: OtlpSpan): ReceivedSpan => ({
  name,
  traceId,
  spanId,
  parentSpanId,
  links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
  attributes: toAttributes(attributes),
  isError: status?.code === ERROR_STATUS,
});
