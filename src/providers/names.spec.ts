import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from '@jest/globals';

const SRC = join(import.meta.dirname, '..');
const SHARED = ['aws', 'capabilities', 'events', 'sms'];
const NAMES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED.includes(entry.name))
  .map(({ name }) => name);
const NAME = new RegExp(`'(?:${NAMES.join('|')})'`);

/** By file, with the reason. */
const ALLOWED: Record<string, string> = {
  'shared/account-provider.ts': "the contract's own enum",
  'shared/provider-key.ts': 'the stored word for what the service itself has proven',
  'config/env.ts': 'the protocol in the URL of the relay',
  'demo/history/past-mail.ts': 'the relay of the demo',
  'modules/accounts/application/ports/throttles.ts': 'the protocol of the submission of mail',
  'modules/submission/application/authenticate-client.service.ts': 'the protocol of the submission of mail',
  'modules/submission/application/mail-idempotency.ts': 'the protocol of the submission of mail',
};

it('No code outside of the providers knows one by its name', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.startsWith('providers/'),
  );
  const withNames = files.filter((path) => NAME.test(readFileSync(join(SRC, path), 'utf8')));
  expect(withNames.sort()).toEqual(Object.keys(ALLOWED).sort());
});
