import { connect, isIP, type Socket } from 'node:net';

import { NEXT_ADDRESS_AFTER_MS } from '../../config/limits.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import { checkedLookup, defaultLookup, type Lookup } from '../safe-http/checked-lookup.js';
import { HttpFailure } from '../../shared/http-failure.js';
import { isLoopbackAddress, isPublicAddress } from '../safe-http/public-address.js';

/** The setting that allows relays of accounts to have private addresses. */
const ALLOWED_BY = 'SMTP_ALLOW_PRIVATE_NETWORKS=true';

export interface ConnectOptions {
  timeoutMs: number;
  lookup?: Lookup;
}

export interface RelaySocket {
  connection: Socket;
  /** Whether the session must not continue without TLS, because a password is sent to another machine. */
  requireTLS: boolean;
}

/** Thrown before anything is sent if the address of the relay is not allowed. */
export class RefusedRelayError extends Error {
  override name = 'RefusedRelayError';
  readonly code = 'EREFUSEDADDRESS';

  constructor() {
    super(`The SMTP relay has a private, loopback or otherwise reserved address, which needs ${ALLOWED_BY}`);
  }
}

/**
 * Opens a connection to a relay. Unless the relay may have any address, all addresses of its host must be public. The
 * connection goes to an address that was checked: the name is not resolved a second time. Rejects with a
 * RefusedRelayError, or with an error that has a `code` (`EDNS`, `ETIMEDOUT`, `ESOCKET`).
 */
export async function connectToRelay(relay: SmtpRelay, options: ConnectOptions): Promise<RelaySocket> {
  const { host, allowPrivateAddress: allowPrivate } = relay;
  if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host)) throw new RefusedRelayError();
  const lookup = checkedLookup(options.lookup ?? lookupFor(allowPrivate), allowPrivate, ALLOWED_BY);
  const connection = await open(relay, lookup, options.timeoutMs);
  return { connection, requireTLS: needsTls(relay, connection.remoteAddress ?? '') };
}

/** The loopback exception depends on the address that is connected to, not on the host name. */
const needsTls = ({ secure, password, allowPlaintext }: SmtpRelay, address: string): boolean =>
  !secure && password !== null && !allowPlaintext && !isLoopbackAddress(address);

const anyAddress = defaultLookup(true);
const publicAddresses = defaultLookup(false);
const lookupFor = (allowPrivate: boolean): Lookup => (allowPrivate ? anyAddress : publicAddresses);

function open({ host, port }: SmtpRelay, lookup: ReturnType<typeof checkedLookup>, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    });
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(toConnectError(error));
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** Converts to the form of nodemailer's errors. If several addresses were tried, the first error counts. */
function toConnectError(error: Error): Error {
  if (error instanceof HttpFailure) return new RefusedRelayError();
  const [cause = error] = ((error as Partial<AggregateError>).errors as Error[] | undefined) ?? [];
  const { code: originalCode = '', syscall = '' } = cause as NodeJS.ErrnoException;
  const code = originalCode === 'ETIMEDOUT' ? 'ETIMEDOUT' : /^(getaddrinfo|query)/.test(syscall) ? 'EDNS' : 'ESOCKET';
  return Object.assign(cause, { code, originalCode, command: 'CONN' });
}
