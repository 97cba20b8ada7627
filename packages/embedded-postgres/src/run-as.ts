export interface Account {
  uid: number;
  gid: number;
}

/** A way to run PostgreSQL, which refuses to run as root. See README.md. */
export interface RunAs {
  name: string;
  /** The required owner of the cluster's files; undefined leaves them unchanged. */
  owner?: Account;
  /** A program with arguments that changes the identity and executes PostgreSQL. */
  through: readonly string[];
  /** The identity that Node gives to the process. */
  identity?: Account;
}

export const asCurrentUser: RunAs = { name: 'as the current user', through: [] };

/**
 * The process stays root, with access to all files of root, but sees itself as `inside`, which satisfies PostgreSQL's
 * check.
 */
export const inUserNamespace = (inside: Account): RunAs => ({
  name: 'in a user namespace',
  owner: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
  through: ['unshare', '--user', `--map-user=${inside.uid}`, `--map-group=${inside.gid}`],
});

/**
 * Another account that keeps root's right to enter every folder. PostgreSQL looks for its programs with access(2),
 * which ignores that right for users other than root unless no_setuid_fixup is set.
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

/** Needs no helper program, but the account must have access to PostgreSQL's programs and the data directory. */
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
