import { NumberInput, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

import type { ApiKey, Schemas } from '../../api/types';
import { NUMBER_SEPARATORS } from '../../texts/number-separators';
import { t } from '../../texts/text';

/** The fields of a key that can be changed later. */
export interface KeyValues {
  name: string;
  expiresAt: string;
  ipAllowlist: string[];
  dailyLimit: number | string;
}

interface FieldProps<Values extends KeyValues> {
  form: UseFormReturnType<Values>;
}

export const NameField = <Values extends KeyValues>({ form }: FieldProps<Values>) => (
  <TextInput
    label={t('common.field.name')}
    description={t('api-keys.field.name.description')}
    required
    maxLength={100}
    data-autofocus
    key={form.key('name')}
    {...form.getInputProps('name')}
  />
);

export const LimitFields = <Values extends KeyValues>({ form }: FieldProps<Values>) => (
  <>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        type="datetime-local"
        label={t('api-keys.field.expires')}
        description={t('api-keys.field.expires.description')}
        key={form.key('expiresAt')}
        {...form.getInputProps('expiresAt')}
      />
      <NumberInput
        label={t('api-keys.field.limit')}
        description={t('api-keys.field.limit.description')}
        min={1}
        allowDecimal={false}
        {...NUMBER_SEPARATORS}
        key={form.key('dailyLimit')}
        {...form.getInputProps('dailyLimit')}
      />
    </SimpleGrid>
    <TagsInput
      label={t('api-keys.field.allowlist')}
      description={t('api-keys.field.allowlist.description')}
      placeholder={t('api-keys.field.allowlist.placeholder')}
      acceptValueOnBlur
      key={form.key('ipAllowlist')}
      {...form.getInputProps('ipAllowlist')}
    />
  </>
);

export const toKeyBody = ({ name, ipAllowlist, expiresAt, dailyLimit }: KeyValues) =>
  ({
    name: name.trim(),
    ipAllowlist,
    expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
    dailyLimit: dailyLimit === '' ? null : Number(dailyLimit),
  }) satisfies Schemas['ChangeApiKeyDto'];

export const valuesOf = ({ name, ipAllowlist, expiresAt, dailyLimit }: ApiKey): KeyValues => ({
  name,
  ipAllowlist,
  expiresAt: expiresAt === null ? '' : toLocalInput(new Date(expiresAt)),
  dailyLimit: dailyLimit ?? '',
});

/** Formats a time as a `datetime-local` input does, to the minute. */
const toLocalInput = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
