import { describe, expect, it } from '@jest/globals';

import { AesSecretBox } from './aes-secret-box.js';

describe('AesSecretBox', () => {
  const box = new AesSecretBox({ appSecret: 'a secret with more than 32 characters' });

  it('opens what it has sealed, each time under another nonce', () => {
    const [one, other] = [box.seal('Grüße'), box.seal('Grüße')];
    expect(one).not.toBe(other);
    expect([box.open(one), box.open(other)]).toEqual(['Grüße', 'Grüße']);
  });

  it('refuses text sealed with another secret, altered text and unknown versions', () => {
    const sealed = new AesSecretBox({ appSecret: 'another secret with more than 32 characters' }).seal('x');
    const altered = box.seal('x').replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const text of [sealed, altered.replace(/^v1\../, 'v1.!'), 'v2.abc', 'v1'])
      expect(() => box.open(text)).toThrow();
  });
});
