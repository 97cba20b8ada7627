import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Accepts every send at once and stores nothing: what a client costs shows best here.
const QUEUED = JSON.stringify({ queued: true, messageLogId: 'c0mk3v9p0x7f2k9d1q8z5w4ab' });

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': QUEUED.length }).end(QUEUED);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
