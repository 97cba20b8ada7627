import { parseArgs } from 'node:util';

import type { Environment } from '../config/config.js';
import { SEALED_PLACES } from '../modules/sealed-places.js';
import { AesSecretBox } from '../platform/crypto/aes-secret-box.js';
import {
  forgetInstallationKeys,
  InstallationKeys,
  SEALED_INSTALLATION_KEYS,
} from '../platform/crypto/installation-keys.js';
import { sealAnew } from '../platform/crypto/seal-anew.js';
import type { Database } from '../platform/database/database.js';
import { type Target, withDatabase } from './with-database.js';

const HELP = `Encrypts what is stored with APP_SECRET instead of APP_SECRET_PREVIOUS. All processes of the service have to run with both.

  APP_SECRET=<new> APP_SECRET_PREVIOUS=<former> npm run secret:rotate

Afterwards a start no longer needs APP_SECRET_PREVIOUS, but with it the links in earlier mails stay valid. It can be
interrupted and repeated. It reads DATABASE_URL and DATA_DIR like the service.

  --lost  the former secret is lost: lets the service start with any other one. The stored passwords, keys and signing
          secrets stay unreadable and have to be set again, and erased people are no longer recognised.
  --help  prints this help`;

type Secrets = Pick<Environment, 'appSecret' | 'appSecretPrevious'>;

/** Returns the text to print. Throws without both secrets, or if neither is that of the database. */
export async function rotateSecretFromArguments(args: string[], target: Target & Secrets): Promise<string> {
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({ args, options: { lost: flag, help: { ...flag, short: 'h' } } });
  if (values.help) return HELP;
  if (values.lost) return withDatabase(target, forget);
  const { appSecret, appSecretPrevious } = target;
  if (appSecret === undefined || appSecretPrevious === undefined)
    throw new Error('Set APP_SECRET to the new secret and APP_SECRET_PREVIOUS to the former one');
  return withDatabase(target, (database) => rotate(database, appSecret, appSecretPrevious));
}

async function rotate(database: Database, appSecret: string, appSecretPrevious: string): Promise<string> {
  await InstallationKeys.open(database, { appSecret, appSecretPrevious }, SEALED_PLACES);
  const current = new AesSecretBox({ appSecret });
  const previous = new AesSecretBox({ appSecret: appSecretPrevious });
  let changed = 0;
  const unreadable: string[] = [];
  // The installation keys come last: until then a start with the current secret alone is refused.
  for (const place of [...SEALED_PLACES, ...SEALED_INSTALLATION_KEYS]) {
    const result = await sealAnew(database, place, current, previous);
    changed += result.changed;
    unreadable.push(...result.unreadable);
  }
  return [
    `Encrypted anew: ${changed}`,
    `Readable with neither secret, and left as they are: ${unreadable.length}`,
    ...unreadable.map((text) => `  ${text}`),
  ].join('\n');
}

async function forget(database: Database): Promise<string> {
  await forgetInstallationKeys(database);
  return 'The next start takes its APP_SECRET for that of the database.';
}
