import { Button, Grid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { CopyableValue } from '../../components/copyable-value';
import { DescriptionList } from '../../components/description-list';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { ResultsPanel } from '../../components/results-panel';
import { LoadError, Loading, NotFound } from '../../components/states';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import { ChangesPanel } from './changes-panel';
import { PeoplePanel } from './people-panel';
import { TopicDialog } from './topic-dialog';
import { type Topic, useTopics } from './use-topics';

/** The results of the messages of a topic, its number of contacts, and its consents and withdrawals. */
export default function TopicPage() {
  const { id = '' } = useParams();
  const isAdmin = useIsAdmin();
  const [isEditing, editing] = useDisclosure();
  const { data, error, refetch } = useTopics();
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  const topic = data.find((row) => row.id === id);
  if (!topic) return <NotFound />;
  return (
    <>
      <PageHeader
        title={topic.name}
        description={topic.description}
        back={{ to: '/topics', label: t('common.section.topics') }}
      >
        <Button component={Link} to={`/contacts?status=active&topicId=${id}`} variant="default">
          {t('topics.viewPeople')}
        </Button>
        <Button component={Link} to={`/messages?topicId=${id}`} variant="default">
          {t('topics.viewMessages')}
        </Button>
        {isAdmin && <Button onClick={editing.open}>{t('common.action.edit')}</Button>}
      </PageHeader>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            <Results id={id} />
            <ChangesPanel topicId={id} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="md">
            <PeoplePanel topicId={id} />
            <Panel title={t('topics.details')}>
              <Details topic={topic} />
            </Panel>
          </Stack>
        </Grid.Col>
      </Grid>
      {isEditing && <TopicDialog topic={topic} onClose={editing.close} />}
    </>
  );
}

function Results({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['topics', id, 'totals'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages/aggregate', { params: { query: { topicId: id } }, signal })),
  });
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <ResultsPanel stats={data} />;
}

const Details = ({ topic: { id, visibility, byDefault, createdAt, updatedAt } }: { topic: Topic }) => (
  <DescriptionList
    items={[
      [t('topics.column.visibility'), t(`topics.visibility.${visibility}.long`)],
      [t('topics.column.byDefault'), t(`topics.byDefault.${byDefault}.long`)],
      [t('topics.id'), <CopyableValue key="id" value={id} label={t('topics.copyId')} />],
      [t('common.column.added'), <Time key="added" value={createdAt} />],
      [t('common.column.updated'), <Time key="updated" value={updatedAt} />],
    ]}
  />
);
