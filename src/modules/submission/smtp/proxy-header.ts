import type { Socket } from 'node:net';

import { parseAddress } from '../../../shared/ip-address.js';

const PREFIX = Buffer.from('PROXY ');
/** The length of the longest header, with its CRLF. https://www.haproxy.org/download/1.8/doc/proxy-protocol.txt §2.1 */
const MAX_LENGTH = 107;
const HEADER = /^PROXY (?:UNKNOWN(?: .*)?|TCP[46] (\S+) \S+ \d{1,5} \d{1,5})$/;

/**
 * Reads the PROXY header, version 1, with which a proxy begins, and returns the address of its client: null for the
 * proxy's own connections (UNKNOWN), and undefined if the peer sends something else, or nothing for `waitMs`. Its bytes
 * stay in the socket then. Throws for a malformed header.
 */
export function readProxyHeader(socket: Socket, waitMs: number): Promise<string | null | undefined> {
  return new Promise((resolve, reject) => {
    let buffered: Buffer = Buffer.alloc(0);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.removeListener('readable', read);
      socket.removeListener('close', onClose);
      settle();
    };
    const pass = (address: string | null | undefined, rest: Buffer) => {
      end(() => {
        if (rest.length > 0) socket.unshift(rest);
        resolve(address);
      });
    };
    const onClose = () => {
      end(() => {
        reject(new Error('The connection was closed'));
      });
    };
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null)
        buffered = Buffer.concat([buffered, chunk]);
      const isHeader = PREFIX.subarray(0, buffered.length).equals(buffered.subarray(0, PREFIX.length));
      if (!isHeader) {
        pass(undefined, buffered);
        return;
      }
      const length = buffered.indexOf('\r\n');
      if (length < 0 && buffered.length < MAX_LENGTH) return;
      const header = HEADER.exec(buffered.toString('latin1', 0, length));
      const address = header?.[1] === undefined ? null : (parseAddress(header[1])?.toString() ?? '');
      if (header && address !== '') pass(address, buffered.subarray(length + 2));
      else {
        end(() => {
          reject(new Error('The PROXY header is malformed'));
        });
      }
    };
    const timer = setTimeout(() => {
      pass(undefined, buffered);
    }, waitMs);
    socket.on('readable', read);
    socket.on('close', onClose);
  });
}
