/**
 * A receiver that answers every post at once and looks at no signature. Tells when it has received as many as it was
 * asked for, and how long after its event each first attempt came.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceiverReport {
  received: number;
  /** From the first to the last. */
  ms: number;
  /** The most that were open at a time. */
  connections: number;
  /** Of each first attempt. */
  delaysMs: number[];
}

let wanted = Infinity;
let only: string | undefined;
let received = 0;
let firstAt = 0;
let open = 0;
let connections = 0;
let delaysMs: number[] = [];

const OCCURRED_AT = /"occurredAt":"([^"]+)"/;

function take(body: string, attempt: unknown): void {
  const [, occurredAt = ''] = OCCURRED_AT.exec(body) ?? [];
  if (attempt === '1') delaysMs.push(Date.now() - Date.parse(occurredAt));
  if (received++ === 0) firstAt = performance.now();
  if (received !== wanted) return;
  process.send?.({ received, ms: performance.now() - firstAt, connections, delaysMs } satisfies ReceiverReport);
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    if (only === undefined || request.url === only) take(body, request.headers['x-service-attempt']);
    response.writeHead(204).end();
  });
});
server.on('connection', (socket) => {
  connections = Math.max(connections, ++open);
  socket.on('close', () => (open -= 1));
});

/** Forget what came so far and count to this, at the path alone if there is one. */
process.on('message', ({ count, path }: { count: number; path?: string }) => {
  wanted = count;
  only = path;
  received = 0;
  connections = open;
  delaysMs = [];
});

await once(server.listen(0, '127.0.0.1'), 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
