import { Accordion, Group, Stack, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { CopyButton } from '../../components/copy-button';
import { DescriptionList } from '../../components/description-list';
import { formatDuration } from '../../components/duration';
import { Status, type Tone } from '../../components/status';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import { prettyBody } from './pretty-body';

type Attempt = Schemas['WebhookAttemptResponse'];

/** One attempt with its outcome. Expanded, it shows the headers of the request and the response. */
export const AttemptItem = ({ attempt }: { attempt: Attempt }) => {
  const [tone, outcome] = outcomeOf(attempt);
  return (
    <Accordion.Item value={attempt.id}>
      <Accordion.Control>
        <Group gap="md" justify="space-between">
          <Group gap="md">
            <Text size="sm" fw={500}>
              {t('webhooks.attempt', { number: attempt.number })}
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
  if (statusCode === null)
    return error === null ? ['busy', t('webhooks.attempt.inProgress')] : ['bad', t('webhooks.attempt.noResponse')];
  return [statusCode >= 200 && statusCode < 300 ? 'good' : 'bad', `HTTP ${statusCode}`];
}

const AttemptDetail = ({ attempt }: { attempt: Attempt }) => {
  const { id, durationMs, statusCode, error, requestHeaders, responseHeaders, responseBody } = attempt;
  return (
    <Stack gap="md">
      <DescriptionList
        items={[
          [
            t('webhooks.attempt.id'),
            <span key="id" className="mono">
              {id}
            </span>,
          ],
          [t('webhooks.attempt.duration'), durationMs === null ? null : formatDuration(durationMs)],
          [t('common.column.error'), statusCode === null ? error : null],
        ]}
      />
      {requestHeaders && <Block of="requestHeaders">{headerLines(requestHeaders)}</Block>}
      {responseHeaders && <Block of="responseHeaders">{headerLines(responseHeaders)}</Block>}
      {responseBody !== null && (
        <Block of="responseBody">
          {responseBody ? prettyBody(responseBody) : t('webhooks.attempt.responseBody.empty')}
        </Block>
      )}
    </Stack>
  );
};

const headerLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const Block = ({ of, children }: { of: 'requestHeaders' | 'responseHeaders' | 'responseBody'; children: string }) => (
  <div>
    <Group gap="xs" mb={4}>
      <Text size="sm" c="dimmed">
        {t(`webhooks.attempt.${of}`)}
      </Text>
      <CopyButton value={children} label={t(`webhooks.attempt.${of}.copy`)} />
    </Group>
    <pre className="code-block mono" tabIndex={0}>
      {children}
    </pre>
  </div>
);
