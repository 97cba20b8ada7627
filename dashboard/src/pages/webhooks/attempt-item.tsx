import { Accordion, Group, Stack, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { DescriptionList } from '../../components/description-list';
import { Status, type Tone } from '../../components/status';
import { Time } from '../../components/time';

type Attempt = Schemas['WebhookAttemptResponse'];

/** One attempt with its outcome. Expanded, it shows the request headers and the response. */
export const AttemptItem = ({ attempt }: { attempt: Attempt }) => {
  const [tone, outcome] = outcomeOf(attempt);
  return (
    <Accordion.Item value={attempt.id}>
      <Accordion.Control>
        <Group gap="md" justify="space-between">
          <Group gap="md">
            <Text size="sm" fw={500}>
              Attempt {attempt.number}
            </Text>
            <Text component="span" size="sm">
              <Status tone={tone} label={outcome} />
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            <Time value={attempt.startedAt} format="precise" />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <AttemptDetail attempt={attempt} />
      </Accordion.Panel>
    </Accordion.Item>
  );
};

function outcomeOf({ statusCode, error }: Attempt): [Tone, string] {
  if (statusCode === null) return error === null ? ['busy', 'in progress'] : ['bad', 'no response'];
  return [statusCode >= 200 && statusCode < 300 ? 'good' : 'bad', `HTTP ${statusCode}`];
}

const AttemptDetail = ({ attempt }: { attempt: Attempt }) => {
  const { id, durationMs, statusCode, error, requestHeaders, responseBody } = attempt;
  return (
    <Stack gap="md">
      <DescriptionList
        items={[
          [
            'Attempt ID',
            <span key="id" className="mono">
              {id}
            </span>,
          ],
          ['Duration', durationMs === null ? null : `${durationMs.toLocaleString()} ms`],
          ['Error', statusCode === null ? error : null],
        ]}
      />
      {requestHeaders && (
        <Block title="Request headers">
          {Object.entries(requestHeaders)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </Block>
      )}
      {responseBody !== null && <Block title="Response body (first kilobyte)">{responseBody || '(empty)'}</Block>}
    </Stack>
  );
};

const Block = ({ title, children }: { title: string; children: string }) => (
  <div>
    <Text size="sm" c="dimmed" mb={4}>
      {title}
    </Text>
    <pre className="code-block mono">{children}</pre>
  </div>
);
