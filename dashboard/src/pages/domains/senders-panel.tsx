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
import { RowActions } from '../../components/row-actions';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { CheckStatus } from './check-status';

type Sender = Schemas['SenderResponse'];

export function SendersPanel({ isAdmin }: { isAdmin: boolean }) {
  const [isAdding, { open, close }] = useDisclosure();
  return (
    <Panel
      isFlush
      title={t('domains.senders')}
      actions={
        isAdmin && (
          <Button size="xs" leftSection={<Plus size={14} />} onClick={open}>
            {t('domains.sender.add')}
          </Button>
        )
      }
    >
      <PageList
        caption={t('domains.senders')}
        pageParameter="senders"
        queryKey={['senders']}
        load={(page, signal) => unwrap(api.GET('/api/senders', { params: { query: { page } }, signal }))}
        columns={isAdmin ? [...COLUMNS, ACTIONS] : COLUMNS}
        keyOf={({ id }) => id}
        refreshEveryMs={10_000}
        empty={
          <Empty icon={AtSign} title={t('domains.sender.empty.title')}>
            {t('domains.sender.empty.text')}
          </Empty>
        }
      />
      {isAdding && <AddSender onClose={close} />}
    </Panel>
  );
}

const COLUMNS: readonly Column<Sender>[] = [
  { header: 'common.column.address', cell: ({ email }) => email },
  { header: 'common.column.status', cell: ({ status }) => <CheckStatus value={status} />, width: '8rem' },
  {
    header: 'domains.column.verified',
    cell: ({ verifiedAt }) => <TimeAgo value={verifiedAt} missing={t('domains.sender.notYet')} />,
    align: 'right',
    width: '7.5rem',
    isMinor: true,
  },
  {
    header: 'common.column.added',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.5rem',
    isMinor: true,
  },
];

const ACTIONS: Column<Sender> = {
  header: 'common.column.actions',
  isHeaderHidden: true,
  align: 'right',
  width: '13rem',
  cell: (sender) => <SenderActions sender={sender} />,
};

function SenderActions({ sender: { id, email, status } }: { sender: Sender }) {
  const path = { params: { path: { id } } };
  const resend = useAction({
    run: () => unwrap(api.POST('/api/senders/{id}/resend', path)),
    successMessage: t('domains.sender.resent', { email }),
    invalidates: [['senders']],
  });
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/senders/{id}', path)),
    successMessage: t('domains.removed', { name: email }),
    invalidates: [['senders']],
  });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {status === 'pending' && (
        <Button
          variant="subtle"
          size="compact-xs"
          loading={resend.isPending}
          aria-label={t('domains.sender.resend.label', { email })}
          onClick={() => resend.mutate()}
        >
          {t('domains.sender.resend')}
        </Button>
      )}
      <RowActions>
        <DangerButton
          isSmall
          label={t('common.action.remove')}
          of={email}
          title={t('domains.remove.title', { name: email })}
          confirm={t('domains.sender.remove.confirm')}
          isBusy={remove.isPending}
          onConfirm={remove.mutate}
        >
          {t('domains.sender.remove.text')}
        </DangerButton>
      </RowActions>
    </Group>
  );
}

function AddSender({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: { email: '' } });
  const add = useAction({
    run: (body: { email: string }) => unwrap(api.POST('/api/senders', { body })),
    successMessage: ({ email, status }) =>
      status === 'verified' ? t('domains.verify.verified', { name: email }) : t('domains.sender.linkSent', { email }),
    invalidates: [['senders']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('domains.sender.add.title')}
      submit={t('domains.sender.add')}
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <TextInput
        label={t('common.field.emailAddress')}
        description={t('domains.sender.email.description')}
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
    </FormModal>
  );
}
