/**
 * The part of SES that sending needs, on a bare socket and without parsing the mail, so that the benchmark measures the
 * sender. Reports when it has received the requested number of mails.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';

let latencyMs = 0;
let maxSendRate = 100_000;
let times: number[] = [];
let received = 0;
let firstAt = 0;
let wanted = Infinity;
let connections = 0;

const server = createServer({ noDelay: true }, (socket) => {
  connections += 1;
  socket.on('error', () => undefined); // senders may disconnect at any time
  serve(socket);
});

/** Reads the head of each request, which must have a Content-Length, and skips the body. */
function serve(socket: Socket): void {
  let head = '';
  let request: { path: string; bodyLeft: number } | undefined;
  socket.on('data', (chunk) => {
    let at = 0;
    do {
      if (!request) {
        head += chunk.toString('latin1', at);
        const end = head.indexOf(HEAD_END);
        if (end === -1) return;
        at = chunk.length - (head.length - end - HEAD_END.length);
        const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1];
        request = { path: head.slice(0, head.indexOf(' HTTP/')), bodyLeft: Number(length ?? 0) };
        head = '';
      }
      const skipped = Math.min(request.bodyLeft, chunk.length - at);
      at += skipped;
      request.bodyLeft -= skipped;
      if (request.bodyLeft > 0) return;
      handle(socket, request.path);
      request = undefined;
    } while (at < chunk.length);
  });
}

function handle(socket: Socket, path: string): void {
  if (path === 'GET /v2/email/account') {
    respond(socket, '200 OK', JSON.stringify({ SendQuota: { MaxSendRate: maxSendRate } }));
  } else if (path === 'POST /v2/email/outbound-emails') {
    times.push(performance.now());
    if (received++ === 0) firstAt = performance.now();
    const body = `{"MessageId":"0100-${received}-000000"}`;
    if (latencyMs > 0) setTimeout(respond, latencyMs, socket, '200 OK', body);
    else respond(socket, '200 OK', body);
    if (received === wanted) process.send?.({ received, connections, ms: performance.now() - firstAt });
  } else {
    respond(socket, '404 Not Found', '{"message":"No such operation"}');
  }
}

function respond(socket: Socket, status: string, body: string): void {
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}${HEAD_END}${body}`,
    'latin1',
  );
}

/**
 * A number resets the counters and sets the number to report. `times` asks for the arrival times. An object sets
 * options.
 */
process.on('message', (message: number | 'times' | { latencyMs: number; maxSendRate: number }) => {
  if (message === 'times') process.send?.(times);
  else if (typeof message === 'object') ({ latencyMs, maxSendRate } = message);
  else {
    wanted = message;
    received = 0;
    connections = 0;
    times = [];
  }
});

const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');
process.send?.({ port: (listening.address() as AddressInfo).port });
