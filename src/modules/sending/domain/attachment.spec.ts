import { describe, expect, it } from '@jest/globals';

import { toAttachments } from './attachment.js';

describe('toAttachments', () => {
  it.each([
    ['invoice.PDF', 'application/pdf'],
    ['data.unknown', 'application/octet-stream'],
    ['README', 'application/octet-stream'],
    // What every object has is no type.
    ['notes.constructor', 'application/octet-stream'],
    ['notes.valueOf', 'application/octet-stream'],
  ])('takes the type of %s from its name', (filename, contentType) => {
    expect(toAttachments([{ filename, content: 'AA==' }])).toMatchObject([{ filename, contentType }]);
  });

  it('keeps a type that is given', () => {
    const given = { filename: 'a.pdf', content: 'AA==', contentType: 'text/plain' };
    expect(toAttachments([given])).toMatchObject([{ contentType: 'text/plain' }]);
  });
});
