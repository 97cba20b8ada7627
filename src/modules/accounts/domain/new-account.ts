import { isEmailAddress } from '../../../shared/email-address.js';
import { isSingleLine } from '../../../shared/single-line.js';
import { MAX_ACCOUNT_NAME_LENGTH } from './account.js';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './user.js';

/** An account and its admin, as the operator asks for them. */
export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

/** Every fault, each beginning with the name of its field. */
export function faultsOf({ name, email, password }: NewAccount): string[] {
  const isName = name.trim() !== '' && name.length <= MAX_ACCOUNT_NAME_LENGTH && isSingleLine(name);
  const isPassword = password.length >= MIN_PASSWORD_LENGTH && password.length <= MAX_PASSWORD_LENGTH;
  return [
    ...(isName ? [] : [`name must be a line of 1 to ${MAX_ACCOUNT_NAME_LENGTH} characters`]),
    ...(isEmailAddress(email) ? [] : ['email must be an email address']),
    ...(isPassword ? [] : [`password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`]),
  ];
}
