import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

import { describe, expect, it } from '@jest/globals';

import { findInodes, findSocketOwners } from './socket-owner.js';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0
   1: 0100007F:C000 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:C001 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 0 3 0000000000000000`;

describe('The owner of a socket', () => {
  it('is found by its local port', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const accepted = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await accepted;
    const ports = [1, socket.localPort!];
    expect(await findSocketOwners(ports, [1, process.pid])).toEqual([undefined, process.pid]);
    expect(await findSocketOwners(ports, [])).toEqual([undefined, undefined]);
    socket.destroy();
    server.close();
  });

  it('is that of the socket with this local port and an owner', () => {
    const inodes = [
      [0x1f90, '4711'],
      [0xc000, '4712'],
    ];
    expect([...findInodes(TABLE)]).toEqual(inodes);
  });
});
