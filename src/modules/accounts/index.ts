export { AccountDirectory } from './application/account-directory.service.js';
export { AccountLock } from './application/ports/account.repository.js';
export { AccountRepository } from './application/ports/account.repository.js';
export { OpenTestAccount } from './application/open-test-account.service.js';
export { LOGIN_WINDOW_MS, MAX_FAILED_LOGINS } from './application/login-attempts.service.js';
export { LoginThrottles } from './application/ports/login-throttles.js';
export { type Account, MAX_ACCOUNT_NAME_LENGTH, MAX_DAILY_SEND_CAP } from './domain/account.js';
