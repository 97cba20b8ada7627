import { Button, Checkbox, Group, Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas, Scope } from '../../api/types';
import { rememberKey } from '../../app/newest-key';
import { FormError } from '../../components/form-error';
import { useAction } from '../../components/use-action';
import { useReturnFocus } from '../../components/use-return-focus';
import { useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import { CreatedKey } from './created-key';
import { type KeyValues, LimitFields, NameField, toKeyBody } from './key-fields';
import { ScopeField } from './scope-field';

interface Values extends KeyValues {
  scopes: Scope[];
  isTest: boolean;
}

const NEW: Values = {
  ...{ name: '', scopes: ['send', 'read_events'], isTest: false },
  ...{ expiresAt: '', ipAllowlist: [], dailyLimit: '' },
};

type Created = Schemas['CreatedApiKeyResponse'];

/** Stays open from the request until the user has seen the secret, which is shown only once. */
export default function CreateKey({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  useReturnFocus();
  const create = useAction({
    run: ({ scopes, isTest, ...values }: Values) =>
      unwrap(api.POST('/api/api-keys', { body: { ...toKeyBody(values), scopes, mode: isTest ? 'test' : 'live' } })),
    invalidates: [['api-keys']],
    isErrorShownInForm: true,
    onSuccess: (key) => {
      rememberKey(key);
      setCreated(key);
    },
  });
  useUnsavedGuard(create.isPending || created !== undefined, 'api-keys.created.once');
  const close = () => {
    if (created || !create.isPending) onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={created ? t('api-keys.created.title', { name: created.name }) : t('api-keys.create.title')}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!created}
    >
      {created ? <CreatedKey created={created} onClose={close} /> : <KeyForm create={create} onCancel={close} />}
    </Modal>
  );
}

interface FormProps {
  create: { mutate: (values: Values) => void; isPending: boolean; error: Error | null };
  onCancel: () => void;
}

function KeyForm({ create, onCancel }: FormProps) {
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: NEW,
    validate: { scopes: (scopes) => scopes.length === 0 && t('api-keys.field.scopes.required') },
  });
  return (
    <form
      onSubmit={form.onSubmit((values) => {
        create.mutate(values);
      })}
    >
      <Stack>
        <FormError error={create.error} />
        <NameField form={form} />
        <Checkbox
          label={t('api-keys.field.test')}
          description={t('api-keys.field.test.description')}
          key={form.key('isTest')}
          {...form.getInputProps('isTest', { type: 'checkbox' })}
        />
        <ScopeField key={form.key('scopes')} {...form.getInputProps('scopes')} />
        <LimitFields form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={create.isPending}>
            {t('common.action.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('api-keys.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
