/** Semantic version: within a major version, changes are additive. */
export const API_VERSION = '1.0.0'; // x-release-please-version

export const versionHeaderOf = (brand: string): string => `X-${brand}-Version`;
