import { describe, expect, it } from '@jest/globals';

import { unsubscribeUrlFault } from './unsubscribe-url.js';

describe('unsubscribeUrlFault', () => {
  it.each(['https://example.com/u/1?a=b#c', 'HTTPS://EXAMPLE.COM/', `https://example.com/${'a'.repeat(2_028)}`])(
    'accepts %.60s',
    (url) => {
      expect(unsubscribeUrlFault(url, false)).toBeUndefined();
    },
  );

  it('accepts http only if the service itself uses it', () => {
    expect(unsubscribeUrlFault('http://example.com/u', true)).toBeUndefined();
    expect(unsubscribeUrlFault('http://example.com/u', false)).toBe('unsubscribeUrl must be an absolute https URL');
  });

  it.each([
    '',
    '/u/1',
    'example.com',
    'https:example.com',
    'https://',
    'mailto:a@example.com',
    'javascript:alert(1)',
    'https://example.com/a b',
    'https://example.com/\r\nBcc: eve@example.com',
    'https://example.com/>,<https://evil.example',
    'https://exämple.com/',
    `https://example.com/${'a'.repeat(2_029)}`,
  ])('refuses %j', (url) => {
    expect(unsubscribeUrlFault(url, true)).toMatch(/^unsubscribeUrl must be/);
  });
});
