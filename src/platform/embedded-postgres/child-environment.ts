/** The whole environment of the child processes: no variable of the user reaches PostgreSQL. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};
