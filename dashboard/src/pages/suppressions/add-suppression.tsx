import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { unwrap, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';

const NEW = { kind: 'email', address: '', note: '' };

export default function AddSuppression({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: NEW });
  const add = useAction({
    run: async ({ kind, address, note }: typeof NEW) => {
      const body = { [kind === 'email' ? 'email' : 'phone']: address.trim(), note: note.trim() || null };
      const request = api.POST('/api/suppressions', { body });
      const entry = await unwrap(request);
      return { address: entry.address ?? '', isNew: (await request).response.status === 201 };
    },
    successMessage: ({ address, isNew }) => t(isNew ? 'suppressions.added' : 'common.suppressedAlready', { address }),
    invalidates: [['suppressions'], ['contacts'], ['contact']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  const isEmail = form.values.kind === 'email';
  return (
    <FormModal
      onClose={onClose}
      title={t('suppressions.add.title')}
      submit={t('suppressions.add.submit')}
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <SegmentedControl
        aria-label={t('suppressions.add.kind')}
        data={[
          { value: 'email', label: t('common.channel.email') },
          { value: 'phone', label: t('suppressions.add.phone') },
        ]}
        {...form.getInputProps('kind')}
      />
      <TextInput
        label={t(isEmail ? 'common.field.emailAddress' : 'suppressions.add.phoneNumber')}
        description={isEmail ? undefined : t('suppressions.add.phoneDescription')}
        required
        data-autofocus
        {...form.getInputProps('address')}
      />
      <Textarea
        label={t('suppressions.column.note')}
        description={t('suppressions.add.noteDescription')}
        autosize
        minRows={2}
        {...form.getInputProps('note')}
      />
    </FormModal>
  );
}
