import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const SHARED = ['aws', 'capabilities', 'events', 'sms'];
const NAMES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED.includes(entry.name))
  .map(({ name }) => name);
const NAME = new RegExp(`(['"])(?:${NAMES.join('|')})\\1`);

/** The files that may name a provider, with the reason. */
const ALLOWED: Record<string, string> = {
  'src/shared/account-provider.ts': "the contract's own enum",
  'src/shared/provider-key.ts': 'the stored word for what the service itself has proven',
  'src/config/env.ts': 'the protocol in the URL of the relay',
  'src/demo/history/past-mail.ts': 'the relay of the demo',
  'src/modules/accounts/application/ports/throttles.ts': 'the protocol of the submission of mail',
  'src/modules/submission/application/authenticate-client.service.ts': 'the protocol of the submission of mail',
  'src/modules/submission/application/mail-idempotency.ts': 'the protocol of the submission of mail',
  'dashboard/src/pages/settings/use-settings-form.ts': "the contract's own enum, in the order in which it is shown",
  'dashboard/src/components/send-examples.tsx': 'the protocol of the submission of mail',
  'dashboard/src/pages/api-keys/created-key.tsx': 'the protocol of the submission of mail',
};

it('No code outside of the providers knows one by its name', () => {
  const files = ['src', 'dashboard/src']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .filter((path) => /(?<!\.spec|\.d)\.tsx?$/.test(path) && !path.startsWith('src/providers/'));
  const withNames = files.filter((path) => NAME.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(withNames.sort()).toEqual(Object.keys(ALLOWED).sort());
});
