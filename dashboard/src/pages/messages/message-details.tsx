import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { ApiError, api, unwrap } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { CopyableValue } from '../../components/copyable-value';
import { DescriptionList } from '../../components/description-list';
import { Tags } from '../../components/tags';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import { TopicLink } from '../topics/topic-name';

export function MessageDetails({ message }: { message: MessageDetail }) {
  const { id, topicId, templateId, apiKeyId, providerMessageId, provider, segments, encoding, tags } = message;
  return (
    <DescriptionList
      items={[
        [t('messages.details.id'), <CopyableValue key="id" label={t('messages.details.copyId')} value={id} />],
        [t('messages.column.accepted'), <Time key="accepted" value={message.createdAt} format="precise" />],
        [
          t('messages.details.scheduledFor'),
          message.scheduledAt && <Time value={message.scheduledAt} format="precise" />,
        ],
        [t('common.messageStatus.sent'), <Time key="sent" value={message.sentAt} format="precise" />],
        [
          t('messages.details.resentFrom'),
          message.resentFrom && (
            <Anchor component={Link} to={`/messages/${message.resentFrom}`} size="sm">
              {t('messages.details.viewOriginal')}
            </Anchor>
          ),
        ],
        [t('messages.details.provider'), provider && (PROVIDERS[provider] ?? provider)],
        [
          t('messages.details.providerId'),
          providerMessageId && <CopyableValue label={t('messages.details.copyProviderId')} value={providerMessageId} />,
        ],
        [
          t('messages.details.apiKey'),
          apiKeyId ? <KeyName id={apiKeyId} /> : message.campaign ? null : t('messages.details.fromDashboard'),
        ],
        [
          t('messages.column.campaign'),
          message.campaign && (
            <Anchor component={Link} to={`/campaigns/${message.campaign.id}`} size="sm">
              {message.campaign.name}
            </Anchor>
          ),
        ],
        [t('common.field.topic'), topicId && <TopicLink key="topic" id={topicId} />],
        [t('messages.details.template'), templateId && <TemplateLink id={templateId} />],
        [
          t('common.column.tags'),
          tags.length === 0 ? null : <Tags key="tags" tags={tags} linkOf={(tag) => `/messages?tag=${tag}`} />,
        ],
        [t('messages.details.segments'), segments && `${segments}${encoding ? `, ${ENCODINGS[encoding]}` : ''}`],
        [t('common.column.opens'), message.channel === 'email' ? message.opens : null],
        [t('common.column.clicks'), message.channel === 'email' ? message.clicks : null],
      ]}
    />
  );
}

/** Display names of the providers that the API identifies by short names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  smtp: 'SMTP',
  ses: 'Amazon SES',
  sns: 'Amazon SNS',
  twilio: 'Twilio',
};

const ENCODINGS = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const;

function KeyName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['api-keys', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/api-keys/{id}', { params: { path: { id } }, signal })),
    staleTime: 60_000,
  });
  return (
    <Anchor component={Link} to="/api-keys" size="sm">
      {data?.name ?? '…'}
    </Anchor>
  );
}

function TemplateLink({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: ['templates', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/templates/{id}', { params: { path: { id } }, signal })),
    staleTime: 60_000,
  });
  if (error instanceof ApiError && error.status === 404) return t('messages.details.templateDeleted');
  return (
    <Anchor component={Link} to={`/templates/${id}`} size="sm">
      {data?.name ?? t('messages.details.viewTemplate')}
    </Anchor>
  );
}
