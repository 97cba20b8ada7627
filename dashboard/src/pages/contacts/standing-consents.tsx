import { useQuery } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client';
import type { Schemas } from '../../api/types';
import { DescriptionList } from '../../components/description-list';
import { Status } from '../../components/status';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import { useTopics } from '../topics/use-topics';
import { type TopicState, topicStates } from './topic-states';

type Standing = Schemas['StandingConsentResponse'];

const TONES = { granted: 'good', withdrawn: 'warning', none: 'idle' } as const;

/** The state of consent for each purpose, and for each topic whether the person is in it. */
export function StandingConsents({ standing }: { standing: readonly Standing[] }) {
  const { data: topics = [] } = useTopics();
  const { data: settings } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
  });
  const isRequired = settings?.consent.requiredFor === 'campaigns';
  const purposes = standing.filter(({ topicId }) => topicId === null);
  return (
    <div className="panel-body standing">
      <DescriptionList
        items={[
          ...purposes.map(
            ({ purpose, state, since }) =>
              [
                t(`contacts.consent.purpose.${purpose}`),
                <State key={purpose} tone={TONES[state]} label={t(`contacts.consent.state.${state}`)} since={since} />,
              ] as const,
          ),
          ...topicStates(topics, standing).map(
            (topic) =>
              [
                t('contacts.consent.topicName', { name: topic.name }),
                <Topic key={topic.id} topic={topic} isRequired={isRequired} />,
              ] as const,
          ),
        ]}
      />
    </div>
  );
}

/** `isRequired`: campaigns need consent. */
function Topic({ topic: { isIn, since }, isRequired }: { topic: TopicState; isRequired: boolean }) {
  if (since !== null)
    return (
      <State
        tone={isIn ? 'good' : 'warning'}
        label={t(`contacts.consent.topic.${isIn ? 'in' : 'out'}`)}
        since={since}
      />
    );
  if (!isIn) return <Status tone="warning" label={t('contacts.consent.topic.outByDefault')} />;
  return isRequired ? (
    <Status tone="warning" label={t('contacts.consent.topic.inWithoutConsent')} />
  ) : (
    <Status tone="good" label={t('contacts.consent.topic.inByDefault')} />
  );
}

const State = ({ since, ...status }: { tone: 'good' | 'warning' | 'idle'; label: string; since: string | null }) => (
  <>
    <Status {...status} />{' '}
    {since !== null && (
      <span className="dimmed">
        <Time value={since} />
      </span>
    )}
  </>
);
