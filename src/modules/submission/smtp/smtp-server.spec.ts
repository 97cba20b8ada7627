import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection';

const { version } = createRequire(import.meta.url)('smtp-server/package.json') as { version: string };

/** What the submission server overrides beyond the documentation of the library. After an update, check each. */
describe('smtp-server', () => {
  it('is the version that was checked', () => {
    expect(version).toBe('3.21.6');
  });

  it.each(['send', 'handler_AUTH', 'handler_MAIL', 'handler_RCPT', 'handler_DATA', '_parseAddressCommand'])(
    'has the method %s',
    (method) => {
      expect(SMTPConnection.prototype).toHaveProperty(method, expect.any(Function));
    },
  );
});
