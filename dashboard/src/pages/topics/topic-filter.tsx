import { SelectFilter } from '../../components/select-filter';
import type { Filters } from '../../components/use-filters';
import { t } from '../../texts/text';
import { useTopics } from './use-topics';

/** Hidden in accounts without topics. */
export function TopicFilter({ filters }: { filters: Filters }) {
  const topicId = filters.optional('topicId');
  const topics = useTopics().optionsWith(topicId === undefined ? [] : [topicId], t('common.deletedTopic'));
  if (topics.length === 0) return null;
  return (
    <SelectFilter
      filters={filters}
      name="topicId"
      label={t('common.field.topic')}
      data={topics}
      className="topic-filter"
      searchable
    />
  );
}
