import { Button, Text } from '@mantine/core';
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
import { Time } from '../../components/time';
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
        <ContactFilters filters={filters} />
        <PageList
          caption="Contacts"
          queryKey={['contacts', query]}
          load={(page, signal) => unwrap(api.GET('/api/contacts', { params: { query: { ...query, page } }, signal }))}
          columns={useColumns()}
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
    { header: 'Contact', cell: (contact) => <Person contact={contact} />, width: '36%' },
    { header: 'Status', cell: ({ status }) => <ContactStatus value={status} />, width: '9rem' },
    { header: 'Tags', cell: ({ tags }) => tags.length > 0 && <Tags tags={tags} max={1} /> },
    { header: 'Lists', cell: ({ listIds }) => <Lists names={listIds.map(nameOf)} /> },
    { header: 'Updated', cell: ({ updatedAt }) => <Time value={updatedAt} />, width: '11.5rem', isMinor: true },
  ];
}

const Lists = ({ names: [first, ...more] }: { names: readonly string[] }) =>
  more.length === 0 ? first : <span title={more.join(', ')}>{`${first ?? ''} +${more.length}`}</span>;

function Person({ contact }: { contact: Contact }) {
  const rest = [fullName(contact), contact.company].filter(Boolean).join(', ');
  return (
    <>
      <Text component="span" display="block" size="sm" fw={500}>
        {contact.email}
      </Text>
      {rest !== '' && (
        <Text component="span" display="block" size="sm" c="dimmed" fw={400}>
          {rest}
        </Text>
      )}
    </>
  );
}
