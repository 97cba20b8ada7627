import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, Upload, Users } from 'lucide-react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import type { Column } from '../../components/data-table';
import { ExportButton } from '../../components/export-button';
import { lazyDialog } from '../../components/lazy-dialog';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { Tags } from '../../components/tags';
import { TimeAgo } from '../../components/time-ago';
import { useColumnChoice } from '../../components/use-column-choice';
import { t } from '../../texts/text';
import { useLists } from '../lists/use-lists';
import { ContactFilters } from './contact-filters';
import { type Contact, ContactStatus } from './contact-status';
import { fullName } from './full-name';
import { useContactFilters } from './use-contact-filters';

/** Loaded on demand because it is rarely used. */
const AddContact = lazyDialog(() => import('./add-contact'));

export default function ContactsPage() {
  const isAdmin = useIsAdmin();
  const { filters, query } = useContactFilters();
  const { columns, button } = useColumnChoice('contacts', useColumns());
  const [isAdding, { open, close }] = useDisclosure();
  return (
    <>
      <PageHeader title={t('common.section.contacts')} description={t('contacts.description')}>
        <ExportButton path="/api/contacts/export.csv" query={query} fileName="contacts.csv" />
        {isAdmin && (
          <>
            <Button component={Link} to="/contacts/import" variant="default" leftSection={<Upload size={16} />}>
              {t('contacts.import')}
            </Button>
            <Button leftSection={<Plus size={16} />} onClick={open}>
              {t('contacts.add')}
            </Button>
          </>
        )}
      </PageHeader>
      <Panel isFlush>
        <ContactFilters filters={filters} columns={button} />
        <PageList
          caption={t('common.section.contacts')}
          queryKey={['contacts', query]}
          load={(page, signal) => unwrap(api.GET('/api/contacts', { params: { query: { ...query, page } }, signal }))}
          columns={columns}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/contacts/${id}`}
          empty={
            filters.isFiltered ? (
              <Empty icon={Users} title={t('contacts.noMatches.title')}>
                {t('common.noMatches.filters')}
              </Empty>
            ) : (
              <Empty icon={Users} title={t('contacts.empty.title')}>
                {t('contacts.empty.text')}
              </Empty>
            )
          }
        />
      </Panel>
      {isAdding && <AddContact onClose={close} />}
    </>
  );
}

function useColumns(): Column<Contact>[] {
  const { nameOf } = useLists();
  return [
    { header: 'common.column.contact', cell: ({ email }) => email, width: '25cqi' },
    {
      header: 'common.column.name',
      cell: (contact) => fullName(contact) || '–',
      width: 'max(10rem, 15cqi)',
      minWidth: 10,
    },
    { header: 'contacts.column.company', cell: ({ company }) => company ?? '–', isMinor: true },
    { header: 'common.column.status', cell: ({ status }) => <ContactStatus value={status} />, width: '8.5rem' },
    { header: 'common.column.tags', cell: ({ tags }) => tags.length > 0 && <Tags tags={tags} max={1} /> },
    { header: 'common.section.lists', cell: ({ listIds }) => <Lists names={listIds.map((id) => nameOf(id) ?? '…')} /> },
    {
      header: 'common.column.updated',
      cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />,
      align: 'right',
      width: '7.5rem',
      isMinor: true,
    },
  ];
}

const Lists = ({ names: [first, ...more] }: { names: readonly string[] }) =>
  more.length === 0 ? first : <span title={more.join(', ')}>{`${first ?? ''} +${more.length}`}</span>;
