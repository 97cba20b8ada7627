import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useSession } from '../../app/session';
import { useIsAdmin } from '../../app/use-is-admin';
import { DangerButton } from '../../components/danger-button';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { RowActions } from '../../components/row-actions';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { AddUser } from './add-user';
import { EditUser } from './edit-user';

export type User = Schemas['UserResponse'];

export default function UsersPage() {
  const isAdmin = useIsAdmin();
  const [isAdding, { open, close }] = useDisclosure();
  const [edited, setEdited] = useState<User>();
  return (
    <>
      <PageHeader title={t('common.section.users')} description={t('users.description')}>
        {isAdmin && (
          <Button leftSection={<UserPlus size={16} />} onClick={open}>
            {t('users.add')}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption={t('common.section.users')}
          queryKey={['users']}
          load={(page, signal) => unwrap(api.GET('/api/users', { params: { query: { page } }, signal }))}
          columns={useColumns(isAdmin, setEdited)}
          keyOf={({ id }) => id}
          empty={<Empty icon={Users} title={t('users.empty')} />}
        />
      </Panel>
      {isAdding && <AddUser onClose={close} />}
      {edited && <EditUser user={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function useColumns(isAdmin: boolean, onEdit: (user: User) => void): Column<User>[] {
  const self = useSession()?.user.id;
  const columns: Column<User>[] = [
    { header: 'common.field.email', cell: ({ id, email }) => (id === self ? t('users.you', { email }) : email) },
    { header: 'users.column.role', cell: ({ role }) => t(`common.role.${role}`), width: '8rem' },
    {
      header: 'common.column.added',
      cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
      align: 'right',
      width: '7.5rem',
      isMinor: true,
    },
  ];
  if (isAdmin)
    columns.push({
      header: 'common.column.actions',
      isHeaderHidden: true,
      align: 'right',
      width: '10rem',
      cell: (user) => (
        <RowActions>
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={t('users.edit', { email: user.email })}
            onClick={() => onEdit(user)}
          >
            {t('common.action.edit')}
          </Button>
          {user.id !== self && <Remove user={user} />}
        </RowActions>
      ),
    });
  return columns;
}

function Remove({ user: { id, email } }: { user: User }) {
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/users/{id}', { params: { path: { id } } })),
    successMessage: t('users.removed', { email }),
    invalidates: [['users']],
  });
  return (
    <DangerButton
      isSmall
      label={t('common.action.remove')}
      of={email}
      title={t('users.remove.title', { email })}
      confirm={t('users.remove.confirm')}
      isBusy={remove.isPending}
      onConfirm={remove.mutate}
    >
      {t('users.remove.text')}
    </DangerButton>
  );
}
