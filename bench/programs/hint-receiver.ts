/** A receiver of webhooks that answers each post with `103 Early Hints` without end. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const HINTS = Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000));

const server = createServer((socket) => {
  const stream = () => {
    while (!socket.destroyed && socket.write(HINTS));
  };
  socket.on('error', () => undefined).on('drain', stream);
  socket.once('data', stream).resume();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
