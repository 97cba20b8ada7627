import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Message, Schemas } from '../../api/types';
import { DescriptionList } from '../../components/description-list';
import { MailFrame } from '../../components/mail-frame';
import { Panel } from '../../components/panel';
import { Empty, LoadError, Loading } from '../../components/states';

type Content = Schemas['MessageContentResponse'];

export function MessageContent({ message }: { message: Message }) {
  const { id } = message;
  const { data, error } = useQuery({
    queryKey: ['message', id, 'content'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages/{id}/content', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  });
  return (
    <Panel isFlush>
      <div className="mail-head">
        <Headers message={message} unsubscribeUrl={data?.unsubscribeUrl ?? null} />
      </div>
      {data ? <Bodies content={data} /> : error ? <LoadError error={error} /> : <Loading />}
    </Panel>
  );
}

const Headers = ({ message, unsubscribeUrl }: { message: Message; unsubscribeUrl: string | null }) => (
  <DescriptionList
    items={[
      ['From', message.fromName === null ? message.from : `${message.fromName} <${message.from}>`],
      ['To', message.to],
      ['Reply-To', message.replyTo],
      ['Subject', message.subject],
      ['List-Unsubscribe', unsubscribeUrl],
    ]}
  />
);

function Bodies({ content: { isKept, html, text } }: { content: Content }) {
  if (!isKept)
    return <Empty title="The content has been deleted">Message content is kept for a limited time only.</Empty>;
  return (
    <Tabs defaultValue={html === null ? 'text' : 'html'} keepMounted={false}>
      <Tabs.List px="sm">
        {html !== null && <Tabs.Tab value="html">HTML</Tabs.Tab>}
        <Tabs.Tab value="text">Text</Tabs.Tab>
        {html !== null && <Tabs.Tab value="source">Source</Tabs.Tab>}
      </Tabs.List>
      {html !== null && (
        <Tabs.Panel value="html">
          <MailFrame html={html} title="Message content" />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="text">
        {text === null ? (
          <Text c="dimmed" size="sm" p="md">
            Generated from the HTML when the message is sent.
          </Text>
        ) : (
          <pre className="mail-text">{text}</pre>
        )}
      </Tabs.Panel>
      {html !== null && (
        <Tabs.Panel value="source">
          <pre className="mail-text mono">{html}</pre>
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
