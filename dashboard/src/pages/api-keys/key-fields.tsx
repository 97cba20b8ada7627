import { NumberInput, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

import type { ApiKey, Schemas } from '../../api/types';

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
    label="Name"
    description="What the key is used for."
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
        label="Expires"
        description="In local time. Leave empty for no expiry."
        key={form.key('expiresAt')}
        {...form.getInputProps('expiresAt')}
      />
      <NumberInput
        label="Daily limit"
        description="Messages per UTC day. Leave empty to use the account’s limit."
        min={1}
        allowDecimal={false}
        key={form.key('dailyLimit')}
        {...form.getInputProps('dailyLimit')}
      />
    </SimpleGrid>
    <TagsInput
      label="Allowed IP addresses"
      description="Only requests from these addresses are accepted. Leave empty to allow any address."
      placeholder="Type an address and press Enter"
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

/** In the format of a `datetime-local` input, to the minute. */
const toLocalInput = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
