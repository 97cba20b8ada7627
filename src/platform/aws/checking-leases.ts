import type { Agent, ClientRequest, ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { LeaseEndedError, type SubmissionCheck } from '../../shared/submission-check.js';

/** Of requests that submit a message, by their headers: an agent gets to see nothing else of what the SDK sends. */
const checks = new WeakMap<object, SubmissionCheck>();

/** The agent checks the lease again when it writes the request with these headers. */
export function checkWhenWritten(headers: object, check: SubmissionCheck): void {
  checks.set(headers, check);
}

/** `addRequest` is not documented, but what `http.request` calls. */
interface Hooks {
  addRequest(request: ClientRequest, options: ClientRequestArgs): void;
  createConnection(options: ClientRequestArgs): Socket;
}

/**
 * Makes an agent check the lease of a message in the step that writes its request: Node writes it right after the
 * event `socket`. Requests get connected sockets only. What is written to a socket that is still connecting is sent
 * whenever it has connected, by a process that was paused meanwhile even after its leases have ended.
 */
export function checkingLeases<T extends Agent>(
  agent: T,
  connected: 'connect' | 'secureConnect',
  connectTimeoutMs: number,
): T {
  const hooks = agent as unknown as Hooks;
  const addRequest = hooks.addRequest.bind(agent);
  const createConnection = hooks.createConnection.bind(agent);
  return Object.assign(agent, {
    addRequest(request: ClientRequest, options: ClientRequestArgs): void {
      const check = checks.get(options.headers ?? {});
      if (check)
        request.once('socket', () => {
          if (!check.isHeld()) request.destroy(new LeaseEndedError());
        });
      addRequest(request, options);
    },
    createConnection(options: ClientRequestArgs, callback: (error: Error | null, socket?: Duplex) => void): undefined {
      const socket = createConnection(options);
      const timer = setTimeout(() => socket.destroy(new Error('Not connected in time')), connectTimeoutMs);
      socket.once('error', callback); // once it is connected, the request gets its errors, and the agent ignores these
      socket.once('close', () => {
        clearTimeout(timer);
      });
      socket.once(connected, () => {
        clearTimeout(timer);
        callback(null, socket);
      });
    },
  });
}
