import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A secret that can be written and not read: says whether there is one. */
export const SecretField = ({ isSet, ...input }: PasswordInputProps & { isSet: boolean }) => (
  <PasswordInput
    placeholder={isSet ? 'Saved; type to replace it' : 'Not set'}
    autoComplete="new-password"
    maxLength={1_000}
    {...input}
  />
);
