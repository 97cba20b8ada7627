import { Button, Group, Modal, NumberInput, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';

import { answerOf, api } from '../../api/client';
import type { Schemas, Scope } from '../../api/types';
import { FormError } from '../../components/form-error';
import { useAction } from '../../components/use-action';
import { CreatedKey } from './created-key';
import { ScopeField } from './scope-field';

interface Values {
  name: string;
  scopes: Scope[];
  expiresAt: string;
  ipAllowlist: string[];
  dailyLimit: number | string;
}

const NEW: Values = { name: '', scopes: ['send', 'read_events'], expiresAt: '', ipAllowlist: [], dailyLimit: '' };

type Created = Schemas['CreatedApiKeyResponse'];

export default function CreateKey({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  return (
    <Modal
      opened
      onClose={onClose}
      title={created ? `“${created.name}” is ready` : 'Create an API key'}
      size="lg"
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {created ? (
        <CreatedKey created={created} onClose={onClose} />
      ) : (
        <KeyForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  );
}

function KeyForm({ onCreated, onCancel }: { onCreated: (key: Created) => void; onCancel: () => void }) {
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: NEW,
    validate: { scopes: (scopes) => scopes.length === 0 && 'Choose at least one.' },
  });
  const create = useAction({
    run: (values: Values) => answerOf(api.POST('/api/api-keys', { body: toBody(values) })),
    changes: [['api-keys']],
    isErrorShown: true,
    onDone: onCreated,
  });
  return (
    <form
      onSubmit={form.onSubmit((values) => {
        create.mutate(values);
      })}
    >
      <Stack>
        <FormError error={create.error} />
        <TextInput
          label="Name"
          description="What uses the key, so that you know it again."
          required
          maxLength={100}
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <ScopeField key={form.key('scopes')} {...form.getInputProps('scopes')} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            type="datetime-local"
            label="Expires"
            description="In local time. Empty: never."
            key={form.key('expiresAt')}
            {...form.getInputProps('expiresAt')}
          />
          <NumberInput
            label="Daily limit"
            description="Messages per UTC day. Empty: the account’s cap."
            min={1}
            allowDecimal={false}
            key={form.key('dailyLimit')}
            {...form.getInputProps('dailyLimit')}
          />
        </SimpleGrid>
        <TagsInput
          label="Allowed IP addresses"
          description="Only calls from exactly these are accepted. Empty: from anywhere."
          placeholder="Type an address and press Enter"
          acceptValueOnBlur
          key={form.key('ipAllowlist')}
          {...form.getInputProps('ipAllowlist')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const toBody = ({ name, scopes, expiresAt, ipAllowlist, dailyLimit }: Values): Schemas['CreateApiKeyDto'] => ({
  name: name.trim(),
  scopes,
  ipAllowlist,
  expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
  dailyLimit: dailyLimit === '' ? null : Number(dailyLimit),
});
