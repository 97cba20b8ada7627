import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import { DescriptionList } from '../../components/description-list';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { locale } from '../../texts/language';
import { t } from '../../texts/text';

/** The numbers of active contacts that are in the topic and out of it. */
export const PeoplePanel = ({ topicId }: { topicId: string }) => (
  <Panel title={t('topics.people')} description={t('topics.people.description')}>
    <Counts topicId={topicId} />
  </Panel>
);

function Counts({ topicId }: { topicId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['consent-coverage', topicId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/contacts/consent-coverage', { params: { query: { topicId } }, signal })),
  });
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  const { active, withoutConsent, outOfTopic } = data;
  return (
    <DescriptionList
      items={[
        [t('topics.people.in'), (active + withoutConsent).toLocaleString(locale)],
        [t('topics.people.agreed'), active.toLocaleString(locale)],
        [t('topics.people.out'), outOfTopic.toLocaleString(locale)],
      ]}
    />
  );
}
