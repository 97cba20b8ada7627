import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { ApiError, api, unwrap } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { CopyButton } from '../../components/copy-button';
import { DescriptionList } from '../../components/description-list';
import { Tags } from '../../components/tags';
import { Time } from '../../components/time';

export function MessageDetails({ message }: { message: MessageDetail }) {
  const { id, templateId, apiKeyId, providerMessageId, provider, segments, encoding, tags } = message;
  return (
    <DescriptionList
      items={[
        ['Message ID', <Id key="id" label="Copy message ID" value={id} />],
        ['Accepted', <Time key="accepted" value={message.createdAt} format="precise" />],
        ['Scheduled for', message.scheduledAt && <Time value={message.scheduledAt} format="precise" />],
        ['Sent', <Time key="sent" value={message.sentAt} format="precise" />],
        [
          'Resent from',
          message.resentFrom && (
            <Anchor component={Link} to={`/messages/${message.resentFrom}`} size="sm">
              View original message
            </Anchor>
          ),
        ],
        ['Provider', provider],
        ['Provider message ID', providerMessageId && <Id label="Copy provider message ID" value={providerMessageId} />],
        ['API key', apiKeyId ? <KeyName id={apiKeyId} /> : message.campaign ? null : 'Sent from the dashboard'],
        [
          'Campaign',
          message.campaign && (
            <Anchor component={Link} to={`/campaigns/${message.campaign.id}`} size="sm">
              {message.campaign.name}
            </Anchor>
          ),
        ],
        ['Template', templateId && <TemplateLink id={templateId} />],
        ['Tags', tags.length === 0 ? null : <Tags key="tags" tags={tags} linkOf={(tag) => `/messages?tag=${tag}`} />],
        ['Segments', segments && `${segments}${encoding ? `, ${ENCODINGS[encoding]}` : ''}`],
        ['Opens', message.channel === 'email' ? message.opens : null],
        ['Clicks', message.channel === 'email' ? message.clicks : null],
      ]}
    />
  );
}

const ENCODINGS = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const;

const Id = ({ value, label }: { value: string; label: string }) => (
  <span className="id">
    <span className="mono">{value}</span> <CopyButton value={value} label={label} />
  </span>
);

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
  if (error instanceof ApiError && error.status === 404) return 'Deleted since';
  return (
    <Anchor component={Link} to={`/templates/${id}`} size="sm">
      {data?.name ?? 'View template'}
    </Anchor>
  );
}
