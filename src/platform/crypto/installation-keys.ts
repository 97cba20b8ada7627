import type { Config } from '../../config/config.js';
import type { SecretBox } from '../../shared/ports/secret-box.js';
import type { Database } from '../database/database.js';
import { AesSecretBox, deriveKey } from './aes-secret-box.js';
import { canOpen, type SealedPlace, someSealed } from './seal-anew.js';

const ERASED_ADDRESSES = 'erased-addresses';

/**
 * The key of the hashes of erased addresses. It was derived from the first APP_SECRET of the database, which keeps it
 * sealed, because a hash cannot be computed anew when the secret changes: nobody has the address.
 */
export class InstallationKeys {
  private constructor(readonly erasedAddresses: Buffer) {}

  /**
   * Throws if the database was set up with another APP_SECRET. A database without keys, which an earlier release has
   * set up, gets those of this one if it opens what is sealed in the `places`; not if there is a previous one, too: its
   * hashes may be of either, because a restart of several processes has a round in which the previous one is the new.
   */
  static async open(
    database: Database,
    config: Pick<Config, 'appSecret' | 'appSecretPrevious'>,
    places: readonly SealedPlace[],
  ): Promise<InstallationKeys> {
    const secrets = new AesSecretBox(config);
    if (config.appSecretPrevious === undefined) {
      if ((await readSealed(database)) === undefined) await requireReadable(database, secrets, places);
      const key = deriveKey(config.appSecret, ERASED_ADDRESSES);
      await database.query(ADD, [ERASED_ADDRESSES, secrets.seal(key.toString('base64url'))]);
    }
    const sealed = await readSealed(database);
    if (sealed === undefined || sealed === LOST) throw new Error(NO_SECRET_YET);
    return new InstallationKeys(openWith(secrets, sealed));
  }
}

/** The last place that `secret:rotate` reseals: only then does a start need no APP_SECRET_PREVIOUS. */
export const SEALED_INSTALLATION_KEYS = [
  { table: 'installation_keys', id: 't.name', sealed: 't.sealed', set: 'sealed = v.sealed' },
] as const;

/** Forgets the keys of a lost APP_SECRET: the next start creates them from its own. */
export async function forgetInstallationKeys(database: Database): Promise<void> {
  await database.query(FORGET, [ERASED_ADDRESSES]);
}

async function readSealed(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ sealed: string }>(READ, [ERASED_ADDRESSES]);
  return row?.sealed;
}

/** One text that can be opened is enough: others may have been sealed with a secret that was lost before. */
async function requireReadable(database: Database, secrets: SecretBox, places: readonly SealedPlace[]): Promise<void> {
  const sealed: string[] = [];
  for (const place of places) sealed.push(...(await someSealed(database, place)));
  if (sealed.length > 0 && !sealed.some((text) => canOpen(secrets, text))) throw new Error(OTHER_SECRET);
}

function openWith(secrets: SecretBox, sealed: string): Buffer {
  try {
    return Buffer.from(secrets.open(sealed), 'base64url');
  } catch (cause) {
    throw new Error(OTHER_SECRET, { cause });
  }
}

const OTHER_SECRET =
  'APP_SECRET is not the one of this database. Set it to the former value. To change it, set APP_SECRET_PREVIOUS to the ' +
  'former value as well, start, and run "npm run secret:rotate". If the former value is lost, see "A lost APP_SECRET" in ' +
  'docs/operations.md.';

const NO_SECRET_YET =
  'This release has not been started with this database. Start it once with the APP_SECRET that was in use, and without ' +
  'APP_SECRET_PREVIOUS; change the secret afterwards.';

/** Replaces a sealed key: the next start creates one from its own secret. */
const LOST = '';
const FORGET = `
  INSERT INTO installation_keys (name, sealed) VALUES ($1, '${LOST}')
  ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed`;
const ADD = `
  INSERT INTO installation_keys AS k (name, sealed) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed WHERE k.sealed = '${LOST}'`;
const READ = `SELECT sealed FROM installation_keys WHERE name = $1`;
