export interface Account {
  uid: number;
  gid: number;
}

/** A way to run PostgreSQL, which refuses to run as root. Why these: docs/adr/0002-embedded-postgres-as-root.md. */
export interface RunAs {
  name: string;
  /** Whose the files of the cluster must be; undefined leaves them alone. */
  owner?: Account;
  /** The program, with its arguments, that turns into PostgreSQL under the right identity. */
  through: readonly string[];
  /** The identity Node itself gives the process. */
  identity?: Account;
}

export const asCurrentUser: RunAs = { name: 'as the current user', through: [] };

/** Root outside, so every file root can reach stays reachable and new ones are root's; `inside` for PostgreSQL's check. */
export const inUserNamespace = (inside: Account): RunAs => ({
  name: 'in a user namespace',
  owner: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
  through: ['unshare', '--user', `--map-user=${inside.uid}`, `--map-group=${inside.gid}`],
});

/**
 * Another account that keeps root's right to enter every folder. PostgreSQL looks for its programs with access(2), which
 * leaves that right out of account for users other than root unless no_setuid_fixup is set.
 */
export const withFileAccessCapability = (account: Account): RunAs => ({
  name: `as uid ${account.uid} with file access of root`,
  owner: account,
  through: [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ],
});

/** Needs no further program, but the account must be able to reach the programs and the data directory. */
export const asAccount = (account: Account): RunAs => ({
  name: `as uid ${account.uid}`,
  owner: account,
  through: [],
  identity: account,
});

export function commandFor({ through, identity }: RunAs, program: string, args: readonly string[]) {
  const [file = program, ...rest] = [...through, program, ...args];
  return { file, args: rest, ...identity };
}
