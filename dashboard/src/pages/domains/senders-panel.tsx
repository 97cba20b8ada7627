import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { AtSign, Plus } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { DangerButton } from '../../components/danger-button';
import type { Column } from '../../components/data-table';
import { FormModal } from '../../components/form-modal';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { useAction } from '../../components/use-action';
import { CheckStatus } from './check-status';

type Sender = Schemas['SenderResponse'];

export function SendersPanel({ isAdmin }: { isAdmin: boolean }) {
  const [isAdding, { open, close }] = useDisclosure();
  return (
    <Panel
      isFlush
      title="Sender addresses"
      actions={
        isAdmin && (
          <Button size="xs" leftSection={<Plus size={14} />} onClick={open}>
            Add sender
          </Button>
        )
      }
    >
      <PageList
        caption="Sender addresses"
        pageParameter="senders"
        queryKey={['senders']}
        load={(page, signal) => unwrap(api.GET('/api/senders', { params: { query: { page } }, signal }))}
        columns={isAdmin ? [...COLUMNS, ACTIONS] : COLUMNS}
        keyOf={({ id }) => id}
        refreshEveryMs={10_000}
        empty={
          <Empty icon={AtSign} title="No sender addresses yet">
            Verify a single address by opening a link sent to it. No DNS records are needed.
          </Empty>
        }
      />
      <AddSender isOpen={isAdding} onClose={close} />
    </Panel>
  );
}

const COLUMNS: readonly Column<Sender>[] = [
  { header: 'Address', cell: ({ email }) => email },
  { header: 'Status', cell: ({ status }) => <CheckStatus value={status} />, width: '8rem' },
  {
    header: 'Verified',
    cell: ({ verifiedAt }) => <TimeAgo value={verifiedAt} missing="Not yet" />,
    align: 'right',
    width: '7.5rem',
    isMinor: true,
  },
  {
    header: 'Added',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.5rem',
    isMinor: true,
  },
];

const ACTIONS: Column<Sender> = {
  header: 'Actions',
  isHeaderHidden: true,
  align: 'right',
  width: '13rem',
  cell: (sender) => <SenderActions sender={sender} />,
};

function SenderActions({ sender: { id, email, status } }: { sender: Sender }) {
  const path = { params: { path: { id } } };
  const resend = useAction({
    run: () => unwrap(api.POST('/api/senders/{id}/resend', path)),
    successMessage: `A new verification link has been sent to ${email}.`,
    invalidates: [['senders']],
  });
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/senders/{id}', path)),
    successMessage: `${email} has been removed.`,
    invalidates: [['senders']],
  });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {status === 'pending' && (
        <Button
          variant="subtle"
          size="compact-xs"
          loading={resend.isPending}
          aria-label={`Resend link to ${email}`}
          onClick={() => resend.mutate()}
        >
          Resend link
        </Button>
      )}
      <DangerButton
        isSmall
        label="Remove"
        of={email}
        title={`Remove ${email}?`}
        confirm="Remove sender"
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        Messages from this address will be rejected, unless its domain is verified.
      </DangerButton>
    </Group>
  );
}

function AddSender({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const form = useForm({ initialValues: { email: '' } });
  const close = () => {
    form.reset();
    onClose();
  };
  const add = useAction({
    run: (body: { email: string }) => unwrap(api.POST('/api/senders', { body })),
    successMessage: ({ email, status }) =>
      status === 'verified'
        ? `${email} is verified.`
        : `A verification link has been sent to ${email}. Open it to confirm the address.`,
    invalidates: [['senders']],
    isErrorShownInForm: true,
    onSuccess: close,
  });
  return (
    <FormModal
      opened={isOpen}
      onClose={close}
      title="Add a sender"
      submit="Add sender"
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <TextInput
        label="Email address"
        description="A verification link is sent to this address."
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
    </FormModal>
  );
}
