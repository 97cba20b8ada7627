import { describe, expect, it } from '@jest/globals';

import { parsePostmasterPidFile } from './postmaster-pid-file.js';

const START = ['4711', '/var/lib/service/cluster', '1700000000', '54321', ''];

describe('parsePostmasterPidFile', () => {
  it('reads the pid, the port and the padded status', () => {
    const text = [...START, '127.0.0.1', '  1234  5', 'ready   ', ''].join('\n');
    expect(parsePostmasterPidFile(text)).toEqual({ pid: 4711, port: 54321, status: 'ready' });
  });

  it('treats a server without a status as starting', () => {
    expect(parsePostmasterPidFile(START.join('\n'))?.status).toBe('starting');
  });

  it('recognises a server that is shutting down', () => {
    expect(parsePostmasterPidFile([...START, '', '', 'stopping'].join('\n'))?.status).toBe('stopping');
  });

  it.each(['', '\n', 'x', '4711\n/var/lib', '-4711\n/var/lib\n1700000000\n54321\n', '0\n\n\n0\n'])(
    'refuses %j, which no running server leaves',
    (text) => {
      expect(parsePostmasterPidFile(text)).toBeNull();
    },
  );
});
