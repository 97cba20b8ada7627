import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, Upload, Users } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import type { Column } from '../../components/data-table';
import { ExportButton } from '../../components/export-button';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { Tags } from '../../components/tags';
import { TimeAgo } from '../../components/time-ago';
import { useColumnChoice } from '../../components/use-column-choice';
import { useLists } from '../lists/use-lists';
import { ContactFilters } from './contact-filters';
import { type Contact, ContactStatus } from './contact-status';
import { fullName } from './full-name';
import { useContactFilters } from './use-contact-filters';

/** Loaded on demand because it is rarely used. */
const AddContact = lazy(() => import('./add-contact'));

export default function ContactsPage() {
  const isAdmin = useIsAdmin();
  const { filters, query } = useContactFilters();
  const { columns, button } = useColumnChoice('contacts', useColumns());
  const [isAdding, { open, close }] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Contacts"
        description="The people you send to. A contact whose address is suppressed is not active."
      >
        <ExportButton path="/api/contacts/export.csv" query={query} fileName="contacts.csv" />
        {isAdmin && (
          <>
            <Button component={Link} to="/contacts/import" variant="default" leftSection={<Upload size={16} />}>
              Import
            </Button>
            <Button leftSection={<Plus size={16} />} onClick={open}>
              Add contact
            </Button>
          </>
        )}
      </PageHeader>
      <Panel isFlush>
        <ContactFilters filters={filters} columns={button} />
        <PageList
          caption="Contacts"
          queryKey={['contacts', query]}
          load={(page, signal) => unwrap(api.GET('/api/contacts', { params: { query: { ...query, page } }, signal }))}
          columns={columns}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/contacts/${id}`}
          empty={
            filters.isFiltered ? (
              <Empty icon={Users} title="No matching contacts">
                Remove a filter to see more. Tags must match exactly.
              </Empty>
            ) : (
              <Empty icon={Users} title="No contacts yet">
                Add contacts one at a time, import a CSV file, or use the API.
              </Empty>
            )
          }
        />
      </Panel>
      {isAdding && (
        <Suspense>
          <AddContact isOpen onClose={close} />
        </Suspense>
      )}
    </>
  );
}

function useColumns(): Column<Contact>[] {
  const { nameOf } = useLists();
  return [
    { header: 'Contact', cell: ({ email }) => email, width: '30%' },
    { header: 'Name', cell: (contact) => fullName(contact) || '–' },
    { header: 'Company', cell: ({ company }) => company ?? '–', isMinor: true },
    { header: 'Status', cell: ({ status }) => <ContactStatus value={status} />, width: '9rem' },
    { header: 'Tags', cell: ({ tags }) => tags.length > 0 && <Tags tags={tags} max={1} /> },
    { header: 'Lists', cell: ({ listIds }) => <Lists names={listIds.map(nameOf)} /> },
    {
      header: 'Updated',
      cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />,
      align: 'right',
      width: '7.5rem',
      isMinor: true,
    },
  ];
}

const Lists = ({ names: [first, ...more] }: { names: readonly string[] }) =>
  more.length === 0 ? first : <span title={more.join(', ')}>{`${first ?? ''} +${more.length}`}</span>;
