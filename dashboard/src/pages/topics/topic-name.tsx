import { Link } from 'react-router';

import { t } from '../../texts/text';
import { useTopics } from './use-topics';

interface Props {
  id: string;
}

export const TopicName = ({ id }: Props) => useTopics().nameOf(id) ?? t('common.deletedTopic');

/** The name, as a link to the page of the topic unless it has been deleted. */
export function TopicLink({ id }: Props) {
  const name = useTopics().nameOf(id);
  if (name === undefined) return t('common.deletedTopic');
  return (
    <Link to={`/topics/${id}`} className="plain-link">
      {name}
    </Link>
  );
}
