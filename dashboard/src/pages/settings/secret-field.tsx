import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { t } from '../../texts/text';

/** A write-only secret. Its placeholder says whether one is stored. */
export const SecretField = ({ isSet, ...input }: PasswordInputProps & { isSet: boolean }) => (
  <PasswordInput
    placeholder={t(isSet ? 'settings.secret.isSet' : 'settings.secret.notSet')}
    autoComplete="new-password"
    maxLength={1_000}
    {...input}
  />
);
