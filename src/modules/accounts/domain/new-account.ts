import { MAX_ACCOUNT_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../config/limits.js';
import { isEmailAddress } from '../../../shared/email-address.js';
import { isSingleLine } from '../../../shared/text.js';

/** The operator's input for an account and its admin. */
export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

export const PASSWORD_RULE = `password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`;

export const isPassword = (text: string): boolean =>
  text.length >= MIN_PASSWORD_LENGTH && text.length <= MAX_PASSWORD_LENGTH;

/** Returns all faults. Each starts with the name of its field. */
export function faultsOf({ name, email, password }: NewAccount): string[] {
  const isName = name.trim() !== '' && name.length <= MAX_ACCOUNT_NAME_LENGTH && isSingleLine(name);
  return [
    ...(isName ? [] : [`name must be a line of 1 to ${MAX_ACCOUNT_NAME_LENGTH} characters`]),
    ...(isEmailAddress(email) ? [] : ['email must be an email address']),
    ...(isPassword(password) ? [] : [PASSWORD_RULE]),
  ];
}
