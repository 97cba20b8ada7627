export { AccountDirectory } from './application/account-directory.service.js';
export { AccountRepository } from './application/ports/account.repository.js';
export { OpenTestAccount } from './application/open-test-account.service.js';
export { type ThrottleSubject, Throttles } from './application/ports/throttles.js';
export type { Account, AccountProfile } from './domain/account.js';
export { profileOf } from './infrastructure/profile.sql.js';
