import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { t } from '../../texts/text';

interface Props extends PasswordInputProps {
  isSet: boolean;
  /** The reason why the API will discard the stored secret after these edits; false if it will keep it. */
  discarded?: string | false;
}

/** A write-only secret. Its placeholder says whether one is stored. */
export function SecretField({ isSet, discarded = false, ...input }: Props) {
  const isDiscarded = isSet && discarded !== false;
  return (
    <PasswordInput
      placeholder={t(isSet && !isDiscarded ? 'settings.secret.isSet' : 'settings.secret.notSet')}
      description={isDiscarded && input.value === '' ? discarded : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk={false}
      autoComplete="new-password"
      maxLength={1_000}
      {...input}
    />
  );
}
