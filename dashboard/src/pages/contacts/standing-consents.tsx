import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { api, unwrap } from '../../api/client';
import type { Schemas } from '../../api/types';
import { Status } from '../../components/status';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import { type TopicState, topicStates } from './topic-states';

type Standing = Schemas['StandingConsentResponse'];

/** All that an account can have. */
const MAX_TOPICS = 100;
const TONES = { granted: 'good', withdrawn: 'warning', none: 'idle' } as const;

/** What stands for each purpose, and which topics the person is in or out of. */
export function StandingConsents({ standing }: { standing: readonly Standing[] }) {
  const { data: topics } = useQuery({
    queryKey: ['topics', 'all'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/topics', { params: { query: { limit: MAX_TOPICS } }, signal })),
  });
  return (
    <Stack gap="xs" px="md" py="sm">
      {standing
        .filter(({ topicId }) => topicId === null)
        .map(({ purpose, state, since }) => (
          <Line key={purpose} name={t(`contacts.consent.purpose.${purpose}`)} since={since}>
            <Status tone={TONES[state]} label={t(`contacts.consent.state.${state}`)} />
          </Line>
        ))}
      {topics && topics.items.length > 0 && (
        <Stack gap="xs" role="group" aria-label={t('contacts.consent.topics')}>
          {topicStates(topics.items, standing).map((topic) => (
            <TopicLine key={topic.id} {...topic} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

const TopicLine = ({ name, isIn, since }: TopicState) => (
  <Line name={t('contacts.consent.topicName', { name })} since={since}>
    <Status
      tone={isIn ? 'good' : 'warning'}
      label={t(
        since === null
          ? `contacts.consent.topic.${isIn ? 'inByDefault' : 'outByDefault'}`
          : `contacts.consent.topic.${isIn ? 'in' : 'out'}`,
      )}
    />
  </Line>
);

const Line = ({ name, since, children }: { name: string; since: string | null; children: ReactNode }) => (
  <Group gap="xs">
    <Text size="sm" fw={500}>
      {name}
    </Text>
    {children}
    {since !== null && (
      <Text size="sm" c="dimmed">
        <Time value={since} />
      </Text>
    )}
  </Group>
);
