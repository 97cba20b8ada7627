import { describe, expect, it } from '@jest/globals';

import { dkimFault } from './dkim-record.js';

describe('A DKIM record', () => {
  it.each([
    'v=DKIM1; k=rsa; p=QUJD',
    'v=DKIM1;p=QUJD;',
    'p=QUJD',
    ' v = DKIM1 ; p = QU\tJD \r\n ; t=y:s',
    'v=DKIM1; h=sha1:sha256; s=tlsrpt : email; n=any text; p=QUJD',
    'k=rsa; p=QUJD; s=*',
  ])('%j announces the key', (text) => {
    expect(dkimFault(text, 'QUJD')).toBeNull();
  });

  it.each([
    ['', 'is not a DKIM record: it has no `p=`'],
    ['v=spf1 -all', 'is not a DKIM record'],
    ['v=DKIM2; p=QUJD', 'is not a DKIM record'],
    ['p=QUJD; v=DKIM1', 'is not a DKIM record'],
    ['v=DKIM1; p=QUJD; p=QUJD', 'is not a DKIM record'],
    ['v=DKIM1; k=rsa', 'is not a DKIM record: it has no `p=`'],
    ['v=DKIM1; p=', 'revokes the key: its `p=` is empty'],
    ['v=DKIM1; k=ed25519; p=QUJD', 'is not for an RSA key: it needs `k=rsa`'],
    ['v=DKIM1; p=qujd', 'holds another key'],
    ['v=DKIM1; h=sha1; p=QUJD', 'does not allow SHA-256: leave out its `h=`'],
    ['v=DKIM1; s=tlsrpt; p=QUJD', 'is not for email: leave out its `s=`'],
  ])('%j %s', (text, fault) => {
    expect(dkimFault(text, 'QUJD')).toBe(fault);
  });
});
