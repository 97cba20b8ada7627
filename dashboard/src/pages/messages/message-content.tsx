import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { MessageDetail, Schemas } from '../../api/types';
import { DescriptionList } from '../../components/description-list';
import { MailFrame } from '../../components/mail-frame';
import { MailText } from '../../components/mail-text';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { DeletedContent } from './deleted-content';
import { membersOf } from './group';
import { MailSource } from './mail-source';

type Content = Schemas['MessageContentResponse'];

export function MessageContent({ message }: { message: MessageDetail }) {
  const { id } = message;
  const { data, error } = useQuery({
    queryKey: ['message', id, 'content'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages/{id}/content', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  });
  return (
    <Panel isFlush>
      <div className="mail-head">
        <Headers message={message} content={data} />
      </div>
      {data ? <Bodies message={message} content={data} /> : error ? <LoadError error={error} /> : <Loading />}
    </Panel>
  );
}

function Headers({ message, content }: { message: MessageDetail; content: Content | undefined }) {
  const members = membersOf(message);
  const inRole = (wanted: MessageDetail['role']) =>
    members
      .filter(({ role }) => role === wanted)
      .map(({ email }) => email)
      .join(', ') || null;
  return (
    <DescriptionList
      items={[
        ['From', message.fromName === null ? message.from : `${message.fromName} <${message.from}>`],
        ['To', inRole('to')],
        ['Cc', inRole('cc')],
        ['Reply-To', message.replyTo],
        ['Subject', message.subject],
        ['List-Unsubscribe', content?.unsubscribeUrl ?? null],
        ...Object.entries(content?.headers ?? {}),
      ]}
    />
  );
}

function Bodies({ message, content: { isKept, html, text } }: { message: MessageDetail; content: Content }) {
  if (!isKept) return <DeletedContent />;
  return (
    <Tabs defaultValue={html === null ? 'text' : 'html'} keepMounted={false}>
      <Tabs.List px="xs">
        {html !== null && <Tabs.Tab value="html">HTML</Tabs.Tab>}
        <Tabs.Tab value="text">Text</Tabs.Tab>
        {html !== null && <Tabs.Tab value="html-source">HTML source</Tabs.Tab>}
        {message.channel === 'email' && <Tabs.Tab value="source">Source</Tabs.Tab>}
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
          <MailText>{text}</MailText>
        )}
      </Tabs.Panel>
      {html !== null && (
        <Tabs.Panel value="html-source">
          <MailText isSource>{html}</MailText>
        </Tabs.Panel>
      )}
      {message.channel === 'email' && (
        <Tabs.Panel value="source">
          <MailSource message={message} />
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
