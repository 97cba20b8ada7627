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
    run: ({ kind, address, note }: typeof NEW) =>
      unwrap(
        api.POST('/api/suppressions', {
          body: { [kind === 'email' ? 'email' : 'phone']: address.trim(), note: note.trim() || null },
        }),
      ),
    successMessage: ({ address }) => t('suppressions.added', { address: address ?? '' }),
    invalidates: [['suppressions']],
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
