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
import { toLabel } from '../../components/status';
import { TimeAgo } from '../../components/time-ago';
import { useAction } from '../../components/use-action';
import { AddUser } from './add-user';
import { EditUser } from './edit-user';

export type User = Schemas['UserResponse'];

export default function UsersPage() {
  const isAdmin = useIsAdmin();
  const [isAdding, { open, close }] = useDisclosure();
  const [edited, setEdited] = useState<User>();
  return (
    <>
      <PageHeader
        title="Users"
        description="People who can sign in to this account. Admins have full access; members can only view."
      >
        {isAdmin && (
          <Button leftSection={<UserPlus size={16} />} onClick={open}>
            Add user
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption="Users"
          queryKey={['users']}
          load={(page, signal) => unwrap(api.GET('/api/users', { params: { query: { page } }, signal }))}
          columns={useColumns(isAdmin, setEdited)}
          keyOf={({ id }) => id}
          empty={<Empty icon={Users} title="No users" />}
        />
      </Panel>
      <AddUser isOpen={isAdding} onClose={close} />
      {edited && <EditUser user={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function useColumns(isAdmin: boolean, onEdit: (user: User) => void): Column<User>[] {
  const self = useSession()?.user.id;
  const columns: Column<User>[] = [
    { header: 'Email', cell: ({ id, email }) => (id === self ? `${email} (you)` : email) },
    { header: 'Role', cell: ({ role }) => toLabel(role), width: '8rem' },
    {
      header: 'Added',
      cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
      align: 'right',
      width: '7.5rem',
      isMinor: true,
    },
  ];
  if (isAdmin)
    columns.push({
      header: 'Actions',
      isHeaderHidden: true,
      align: 'right',
      width: '10rem',
      cell: (user) => (
        <RowActions>
          <Button variant="subtle" size="compact-xs" aria-label={`Edit ${user.email}`} onClick={() => onEdit(user)}>
            Edit
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
    successMessage: `${email} has been removed.`,
    invalidates: [['users']],
  });
  return (
    <DangerButton
      isSmall
      label="Remove"
      of={email}
      title={`Remove ${email}?`}
      confirm="Remove user"
      isBusy={remove.isPending}
      onConfirm={remove.mutate}
    >
      They are signed out immediately and can no longer sign in.
    </DangerButton>
  );
}
