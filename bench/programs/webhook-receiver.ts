/**
 * A receiver that responds immediately and verifies no signatures. Reports when it has received the requested number of
 * posts, with the delays between the events and their first attempts.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceiverReport {
  received: number;
  /** From the first post to the last. */
  ms: number;
  /** The maximum number of open connections. */
  connections: number;
  /** From the event to its first attempt. */
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

function record(body: string, attempt: unknown): void {
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
    if (only === undefined || request.url === only) record(body, request.headers['x-service-attempt']);
    response.writeHead(204).end();
  });
});
server.on('connection', (socket) => {
  connections = Math.max(connections, ++open);
  socket.on('close', () => (open -= 1));
});

/** Resets the counters and sets the number of posts to report, optionally for one path only. */
process.on('message', ({ count, path }: { count: number; path?: string }) => {
  wanted = count;
  only = path;
  received = 0;
  connections = open;
  delaysMs = [];
});

await once(server.listen(0, '127.0.0.1'), 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
