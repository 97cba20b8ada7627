import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { answerOf, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';

const NEW = { kind: 'email', address: '', note: '' };

export function AddSuppression({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const form = useForm({ initialValues: NEW });
  const close = () => {
    form.reset();
    onClose();
  };
  const add = useAction({
    run: ({ kind, address, note }: typeof NEW) =>
      answerOf(
        api.POST('/api/suppressions', {
          body: { [kind === 'email' ? 'email' : 'phone']: address.trim(), note: note.trim() || null },
        }),
      ),
    done: ({ address }) => `${address} is suppressed.`,
    changes: [['suppressions']],
    isErrorShown: true,
    onDone: close,
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
        aria-label="Kind of address"
        data={[
          { value: 'email', label: 'E-mail' },
          { value: 'phone', label: 'Phone' },
        ]}
        {...form.getInputProps('kind')}
      />
      <TextInput
        label={isEmail ? 'E-mail address' : 'Phone number'}
        description={isEmail ? undefined : 'With its country code, as +41791234567.'}
        required
        data-autofocus
        {...form.getInputProps('address')}
      />
      <Textarea
        label="Note"
        description="Why, for those who come across it later."
        autosize
        minRows={2}
        {...form.getInputProps('note')}
      />
    </FormModal>
  );
}
