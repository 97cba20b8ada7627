import { Accordion, Group, Stack, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { CopyButton } from '../../components/copy-button';
import { DescriptionList } from '../../components/description-list';
import { formatDuration } from '../../components/duration';
import { Status, type Tone } from '../../components/status';
import { Time } from '../../components/time';
import { prettyBody } from './pretty-body';

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
            {attempt.durationMs !== null && ` · ${formatDuration(attempt.durationMs)}`}
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
          ['Duration', durationMs === null ? null : formatDuration(durationMs)],
          ['Error', statusCode === null ? error : null],
        ]}
      />
      {requestHeaders && <Block title="Request headers">{headerLines(requestHeaders)}</Block>}
      {responseBody !== null && (
        <Block title="Response body (first kilobyte)">{responseBody ? prettyBody(responseBody) : '(empty)'}</Block>
      )}
    </Stack>
  );
};

const headerLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const Block = ({ title, children }: { title: string; children: string }) => (
  <div>
    <Group gap="xs" mb={4}>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <CopyButton value={children} label={`Copy ${title.toLowerCase()}`} />
    </Group>
    <pre className="code-block mono" tabIndex={0}>
      {children}
    </pre>
  </div>
);
