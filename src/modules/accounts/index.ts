export { AccountDirectory } from './application/account-directory.service.js';
export type { Account, SmtpRelay } from './domain/account.js';
