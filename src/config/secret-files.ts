import { readFileSync } from 'node:fs';

/** The variables with secrets. Each may be left unset, and `<NAME>_FILE` name a file with its value instead. */
const SECRETS = [
  'ADMIN_PASSWORD',
  'APP_SECRET',
  'APP_SECRET_PREVIOUS',
  'DATABASE_READ_URL',
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
] as const;

export const SECRET_FILE_VARIABLES = SECRETS.map((name) => `${name}_FILE`);

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables with the contents of the files, without the line break at their end, and the faults of files.
 * No fault contains any part of a secret. `undecided` are the secrets whose value is unknown because of a fault.
 */
export function readSecretFiles(variables: Variables): { set: Variables; faults: string[]; undecided: string[] } {
  const set: Record<string, string | undefined> = { ...variables };
  const faults: string[] = [];
  const undecided: string[] = [];
  for (const name of SECRETS) {
    const path = variables[`${name}_FILE`];
    if (path === undefined) continue;
    const read =
      variables[name] === undefined ? readSecret(path) : { fault: `and ${name} are both set: use one of them` };
    if ('value' in read) set[name] = read.value;
    else {
      faults.push(`${name}_FILE: ${read.fault}`);
      undecided.push(name);
    }
  }
  return { set, faults, undecided };
}

function readSecret(path: string): { value: string } | { fault: string } {
  try {
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return value.trim() === '' ? { fault: `${path} is empty` } : { value };
  } catch (error) {
    return { fault: `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})` };
  }
}
