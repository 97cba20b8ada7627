import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { MessageDetail, Schemas } from '../../api/types';
import { Address } from '../../components/address';
import { CopyableText } from '../../components/copyable-text';
import { DescriptionList } from '../../components/description-list';
import { NamedAddress } from '../../components/named-address';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { t } from '../../texts/text';
import { DeletedContent } from './deleted-content';
import { membersOf } from './group';
import { MailHeaders } from './mail-headers';
import { MailSource } from './mail-source';
import { MessagePreview } from './message-preview';

type Content = Schemas['MessageContentResponse'];

export default function MessageContent({ message }: { message: MessageDetail }) {
  const { id } = message;
  const { data, error } = useQuery({
    queryKey: ['message', id, 'content'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages/{id}/content', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  });
  return (
    <Panel isFlush>
      <div className="mail-head">
        <Envelope message={message} />
      </div>
      {data ? <Parts message={message} content={data} /> : error ? <LoadError error={error} /> : <Loading />}
    </Panel>
  );
}

function Envelope({ message }: { message: MessageDetail }) {
  const members = membersOf(message);
  const inRole = (wanted: MessageDetail['role']) => {
    const addresses = members.filter(({ role }) => role === wanted).map(({ email }) => email);
    return addresses.length === 0 ? null : <Address key={wanted}>{addresses.join(', ')}</Address>;
  };
  return (
    <DescriptionList
      items={[
        [t('common.column.from'), <NamedAddress key="from" name={message.fromName} address={message.from} />],
        [t('common.column.to'), inRole('to')],
        [t('messages.role.cc'), inRole('cc')],
        [t('messages.replyTo'), message.replyTo && <Address key="reply">{message.replyTo}</Address>],
        [t('common.column.subject'), message.subject],
      ]}
    />
  );
}

function Parts({ message, content: { isKept, html, text } }: { message: MessageDetail; content: Content }) {
  const isMail = message.channel === 'email' && isKept;
  return (
    <Tabs defaultValue={isKept && html !== null ? 'preview' : 'text'} keepMounted={false}>
      <Tabs.List px="xs">
        {isKept && html !== null && <Tabs.Tab value="preview">{t('common.preview')}</Tabs.Tab>}
        <Tabs.Tab value="text">{t('common.preview.text')}</Tabs.Tab>
        {isMail && <Tabs.Tab value="headers">{t('messages.content.headers')}</Tabs.Tab>}
        {isMail && <Tabs.Tab value="source">{t('messages.content.source')}</Tabs.Tab>}
        <Tabs.Tab value="events">{t('messages.content.events')}</Tabs.Tab>
      </Tabs.List>
      {html !== null && (
        <Tabs.Panel value="preview">
          <MessagePreview message={message} html={html} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="text">{isKept ? <TextPart text={text} /> : <DeletedContent />}</Tabs.Panel>
      <Tabs.Panel value="headers">
        <MailHeaders id={message.id} />
      </Tabs.Panel>
      <Tabs.Panel value="source">
        <MailSource message={message} html={html} />
      </Tabs.Panel>
      <Tabs.Panel value="events">
        <CopyableText isSource label={t('messages.content.copyEvents')}>
          {JSON.stringify(message.events, null, 2)}
        </CopyableText>
      </Tabs.Panel>
    </Tabs>
  );
}

const TextPart = ({ text }: { text: string | null }) =>
  text === null ? (
    <Text c="dimmed" size="sm" p="md">
      {t('messages.content.textFromHtml')}
    </Text>
  ) : (
    <CopyableText label={t('messages.content.copyText')}>{text}</CopyableText>
  );
