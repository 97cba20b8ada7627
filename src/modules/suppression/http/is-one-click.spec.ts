import { describe, expect, it } from '@jest/globals';

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
});
