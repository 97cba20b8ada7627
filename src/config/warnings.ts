/** Faults of the configuration that the operator should fix, although the service starts. */
export const WARNINGS = {
  trusted_proxies_unset:
    'TRUSTED_PROXIES is not set: every client can choose its own address, which IP allowlists and limits depend on, ' +
    'with an X-Forwarded-For header. Set it to the addresses of your proxies, or to any if only they reach the service.',
} as const;

export type Warning = keyof typeof WARNINGS;
export const WARNING_CODES = Object.keys(WARNINGS) as Warning[];
