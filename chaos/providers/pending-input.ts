import { setImmediate as afterInput } from 'node:timers/promises';

/**
 * Resolves once what has arrived is read. A worker that has given up and disconnected is known only then: on a machine
 * that is overloaded, the timer that releases a response may be handled before the end of the connection.
 */
export async function pendingInput(): Promise<void> {
  await afterInput();
  await afterInput(); // a connection that closes in this process is closed in between
}
