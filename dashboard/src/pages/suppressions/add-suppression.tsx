import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { unwrap, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';

const NEW = { kind: 'email', address: '', note: '' };

export default function AddSuppression({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const form = useForm({ initialValues: NEW });
  const close = () => {
    form.reset();
    onClose();
  };
  const add = useAction({
    run: ({ kind, address, note }: typeof NEW) =>
      unwrap(
        api.POST('/api/suppressions', {
          body: { [kind === 'email' ? 'email' : 'phone']: address.trim(), note: note.trim() || null },
        }),
      ),
    successMessage: ({ address }) => `${address} has been suppressed.`,
    invalidates: [['suppressions']],
    isErrorShownInForm: true,
    onSuccess: close,
  });
  const isEmail = form.values.kind === 'email';
  return (
    <FormModal
      opened={isOpen}
      onClose={close}
      title="Suppress an address"
      submit="Suppress"
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <SegmentedControl
        aria-label="Type of address"
        data={[
          { value: 'email', label: 'Email' },
          { value: 'phone', label: 'Phone' },
        ]}
        {...form.getInputProps('kind')}
      />
      <TextInput
        label={isEmail ? 'Email address' : 'Phone number'}
        description={isEmail ? undefined : 'With country code, for example +41791234567.'}
        required
        data-autofocus
        {...form.getInputProps('address')}
      />
      <Textarea
        label="Note"
        description="Why the address is suppressed."
        autosize
        minRows={2}
        {...form.getInputProps('note')}
      />
    </FormModal>
  );
}
