export { AccountDirectory } from './application/account-directory.service.js';
export { RelayDirectory } from './application/ports/relay-directory.js';
export type { Account } from './domain/account.js';
