import { Select } from '@mantine/core';

import { t } from '../../texts/text';
import { useTopics } from '../topics/use-topics';
import type { CampaignForm } from './campaign-values';

/** Hidden in accounts without topics. */
export function TopicField({ form }: { form: CampaignForm }) {
  const input = form.getInputProps('topicId') as { value: string | null };
  const topics = useTopics().optionsWith(input.value === null ? [] : [input.value], t('common.deletedTopic'));
  if (topics.length === 0) return null;
  return (
    <Select
      label={t('common.field.topic')}
      description={t('campaigns.sender.topic.description')}
      data={topics}
      placeholder={t('common.none')}
      searchable
      clearable
      {...input}
    />
  );
}
