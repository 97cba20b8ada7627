export { AccountDirectory } from './application/account-directory.service.js';
export { DailyCaps } from './application/daily-caps.service.js';
export { RelayDirectory } from './application/ports/relay-directory.js';
export type { Account } from './domain/account.js';
export { type CapRequest, type CapUsage, tighterCap } from './domain/daily-caps.js';
