import { describe, expect, it } from '@jest/globals';

import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { isOneClick } from './is-one-click.js';

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary="x"';

describe('isOneClick', () => {
  it.each([
    [URLENCODED, 'List-Unsubscribe=One-Click'],
    [`${URLENCODED}; charset=UTF-8`, 'a=b&List-Unsubscribe=One%2DClick\r\n'],
    ['', 'List-Unsubscribe=One-Click'],
    [MULTIPART, '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'],
    [
      'Multipart/Form-Data; boundary=x',
      '--x\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name=List-Unsubscribe\r\nX: y\r\n\r\nOne-Click\r\n--x--',
    ],
    [MULTIPART, '--x\nContent-Disposition: form-data; name="List-Unsubscribe"\n\nOne-Click\n--x--\n'],
  ])('recognises it in %s', (type, body) => {
    expect(isOneClick(type, body)).toBe(true);
  });

  it.each([
    [URLENCODED, ''],
    [URLENCODED, 'List-Unsubscribe=No'],
    [URLENCODED, '%'],
    ['application/json', '{"List-Unsubscribe":"One-Click"}'],
    [MULTIPART, 'List-Unsubscribe=One-Click'],
    [MULTIPART, '--x\r\nContent-Disposition: form-data; name="other"\r\n\r\nOne-Click\r\n--x--\r\n'],
  ])('does not mistake the form for it: %s %j', (type, body) => {
    expect(isOneClick(type, body)).toBe(false);
  });

  it('reads a multipart body in linear time', async () => {
    const header = 'content-disposition: form-data; name="List-Unsubscribe"\n';
    const bodies = [
      header.repeat(1_000),
      `${header}${'a\n'.repeat(30_000)}`,
      ';'.repeat(60_000),
      `content-disposition:${';name=List-Unsubscribe'.repeat(2_000)}${'\na'.repeat(10_000)}`,
      `content-disposition:${';name=List-Unsubscribe'.repeat(1_400)}${'\r\n'.repeat(16_000)}`,
    ];
    const readAll = () => {
      for (let n = 0; n < 20; n++) for (const body of bodies) expect(isOneClick(MULTIPART, body)).toBe(false);
    };
    // A fraction of a second; a backtracking expression took 14 s.
    expect(await cpuTimeOf(readAll)).toBeLessThan(2_000);
  });
});
