import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A write-only secret. Its placeholder says whether one is stored. */
export const SecretField = ({ isSet, ...input }: PasswordInputProps & { isSet: boolean }) => (
  <PasswordInput
    placeholder={isSet ? 'Saved; type to replace it' : 'Not set'}
    autoComplete="new-password"
    maxLength={1_000}
    {...input}
  />
);
