import { Grid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { CopyableValue } from '../../components/copyable-value';
import { DescriptionList } from '../../components/description-list';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import { ConsentPanel } from './consent-panel';
import { ContactActions } from './contact-actions';
import { type Contact, ContactStatus } from './contact-status';
import { EditContact } from './edit-contact';
import { fullName } from './full-name';

export default function ContactPage() {
  const { id = '' } = useParams();
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/contacts/{id}', { params: { path: { id } }, signal })),
  });
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <>
      <PageHeader
        title={data.email}
        heading={fullName(data) || data.email}
        description={<ContactStatus value={data.status} />}
        back={{ to: '/contacts', label: t('common.section.contacts') }}
      >
        {isAdmin && <ContactActions contact={data} />}
      </PageHeader>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Panel title={t('contacts.profile')}>
            <EditContact contact={data} isAdmin={isAdmin} />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Panel title={t('contacts.details')}>
            <ContactDetails contact={data} />
          </Panel>
        </Grid.Col>
        <Grid.Col span={12}>
          <ConsentPanel email={data.email} isAdmin={isAdmin} />
        </Grid.Col>
      </Grid>
    </>
  );
}

const ContactDetails = ({ contact: { id, email, status, createdAt, updatedAt } }: { contact: Contact }) => (
  <DescriptionList
    items={[
      [t('common.field.email'), email],
      [t('contacts.details.id'), <CopyableValue key="id" value={id} label={t('contacts.details.copyId')} />],
      [t('common.column.added'), <Time key="added" value={createdAt} />],
      [t('common.column.updated'), <Time key="changed" value={updatedAt} />],
      [
        t('common.section.messages'),
        <Link key="messages" to={`/messages?search=${encodeURIComponent(email)}`} className="plain-link">
          {t('contacts.details.searchMessages')}
        </Link>,
      ],
      [
        t('contacts.details.suppression'),
        status === 'active' ? null : (
          <Link to={`/suppressions?search=${encodeURIComponent(email)}`} className="plain-link">
            {t('contacts.details.viewSuppression')}
          </Link>
        ),
      ],
    ]}
  />
);
