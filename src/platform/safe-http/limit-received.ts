import type { Socket } from 'node:net';

import { HttpFailure } from '../../shared/http-failure.js';

/** Limits a response with its headers: several times the largest that is read. */
const MAX_RECEIVED_BYTES = 524_288;

/**
 * Closes the connection if a server sends far more than a response before it is complete, such as endless chunk
 * extensions, which no other limit counts. Every request begins a new response. Must be called before the client reads.
 */
export function limitReceived(socket: Socket): void {
  let written = 0;
  let before = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      before = socket.bytesRead;
    }
    if (socket.bytesRead - before > MAX_RECEIVED_BYTES) socket.destroy(tooLarge());
  });
}

const tooLarge = () => new HttpFailure('response_too_large', 'The answer is too large');
