import { Alert, Tabs, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import { MailFrame } from '../../components/mail-frame';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import type { TemplateValues } from './template-values';

const TYPING_PAUSE_MS = 350;

/** Renders the edited template on the server, exactly as a send would. */
export function Preview({ values, variables }: { values: TemplateValues; variables: Record<string, unknown> }) {
  const [draft] = useDebouncedValue({ ...values, variables }, TYPING_PAUSE_MS);
  const { subject, html, text } = draft;
  const isComplete = subject !== '' && (html !== '' || text !== '');
  const { data, error } = useQuery({
    queryKey: ['template-preview', draft.subject, draft.html, draft.text, draft.variables],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/api/templates/preview', {
          body: { subject, html: html || null, text: text || null, variables: draft.variables },
          signal,
        }),
      ),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return (
    <Panel title="Preview" description={data && isComplete ? data.subject : undefined} isFlush>
      {error && isComplete && (
        <Alert color="red" variant="outline" role="alert" m="md" mb={0} p="xs">
          {error.message}
        </Alert>
      )}
      {data && isComplete ? (
        <Tabs defaultValue="html" mt="xs">
          <Tabs.List px="sm">
            <Tabs.Tab value="html">HTML</Tabs.Tab>
            <Tabs.Tab value="text">Text</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="html">
            {data.html === null ? <NoPart /> : <MailFrame html={data.html} title="Preview" />}
          </Tabs.Panel>
          <Tabs.Panel value="text">
            {data.text === null ? <NoPart /> : <pre className="mail-text">{data.text}</pre>}
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Empty title="Nothing to preview yet">Enter a subject and a body.</Empty>
      )}
    </Panel>
  );
}

const NoPart = () => (
  <Text c="dimmed" size="sm" p="md">
    The template does not have this part.
  </Text>
);
