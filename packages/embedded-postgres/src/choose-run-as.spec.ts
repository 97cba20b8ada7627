import { describe, expect, it } from '@jest/globals';

import { unprivilegedAccount } from './choose-run-as.js';

const ROOT = 'root:x:0:0:root:/root:/bin/bash';
const NOBODY = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin';

describe('unprivilegedAccount', () => {
  it('prefers postgres, then nobody', () => {
    expect(unprivilegedAccount([ROOT, NOBODY, 'postgres:x:101:104::/var/lib:/bin/bash'].join('\n'))?.uid).toBe(101);
    expect(unprivilegedAccount([ROOT, 'node:x:1000:1000::/home/node:/bin/sh', NOBODY].join('\n'))?.uid).toBe(65534);
  });

  it('uses any account but root if neither exists', () => {
    expect(unprivilegedAccount([ROOT, 'node:x:1000:1001::/home/node:/bin/sh'].join('\n'))).toEqual({
      uid: 1000,
      gid: 1001,
    });
  });

  it.each(['', ROOT, 'broken line'])('finds none in %j', (passwd) => {
    expect(unprivilegedAccount(passwd)).toBeNull();
  });
});
