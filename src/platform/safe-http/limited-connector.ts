import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

import type undici from 'undici';
import type { buildConnector } from 'undici';

import { MAX_ANSWER_BYTES } from '../../config/limits.js';
import { HttpFailure } from '../../shared/http-failure.js';

const require = createRequire(import.meta.url);

/**
 * Connections for one request at a time. Each is closed if the server sends far more than a response before it is
 * complete, such as endless chunk extensions, which no other limit counts.
 */
export function limitedConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = (require('undici') as typeof undici).buildConnector(options);
  return (target, callback) => {
    connect(target, (error, socket) => {
      if (error) {
        callback(error, null);
      } else {
        limitReceived(socket);
        callback(null, socket);
      }
    });
  };
}

/** Every request begins a new response. Must be called before the client reads. */
function limitReceived(socket: Socket): void {
  let written = 0;
  let before = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      before = socket.bytesRead;
    }
    if (socket.bytesRead - before > MAX_ANSWER_BYTES) socket.destroy(tooLarge());
  });
}

const tooLarge = () => new HttpFailure('response_too_large', 'The answer is too large');
