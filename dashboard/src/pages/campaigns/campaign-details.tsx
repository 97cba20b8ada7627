import { Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';

import { Address } from '../../components/address';
import { DescriptionList } from '../../components/description-list';
import { NamedAddress } from '../../components/named-address';
import { Panel } from '../../components/panel';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import type { Contact } from '../contacts/contact-status';
import { useLists } from '../lists/use-lists';
import { Preview } from '../templates/preview';
import { TopicLink } from '../topics/topic-name';
import type { Campaign } from './campaign-status';
import { ContactChoice } from './contact-choice';
import { useCampaignPreview } from './use-campaign-preview';
import { useTemplates } from './use-templates';

/** The content, the audience and the times of the campaign. */
export const CampaignDetails = ({ campaign }: { campaign: Campaign }) => (
  <Stack gap="md">
    <Panel title={t('campaigns.details')}>
      <Facts campaign={campaign} />
    </Panel>
    {campaign.templateId === null && <SentContent campaign={campaign} />}
  </Stack>
);

function Facts({ campaign }: { campaign: Campaign }) {
  const {
    fromEmail,
    fromName,
    replyTo,
    subject,
    templateId,
    audience,
    topicId,
    scheduledAt,
    startedAt,
    endedAt,
    maxPerMinute,
  } = campaign;
  const { nameOf } = useLists();
  const lists = (ids: readonly string[]) => ids.map((id) => nameOf(id) ?? t('common.deletedList')).join(', ') || null;
  return (
    <DescriptionList
      items={[
        [t('common.column.from'), <NamedAddress key="from" name={fromName} address={fromEmail} />],
        [t('campaigns.details.replyTo'), replyTo && <Address key="reply">{replyTo}</Address>],
        [t('common.column.subject'), subject],
        [t('campaigns.content.template'), templateId === null ? null : <TemplateLink key="template" id={templateId} />],
        [t('common.section.lists'), lists(audience.listIds)],
        [t('common.column.tags'), audience.tags.join(', ') || null],
        [t('campaigns.audience.exceptLists'), lists(audience.excludeListIds)],
        [t('campaigns.audience.exceptTags'), audience.excludeTags.join(', ') || null],
        [t('common.field.topic'), topicId === null ? null : <TopicLink key="topic" id={topicId} />],
        [t('campaigns.details.scheduledFor'), scheduledAt === null ? null : <Time value={scheduledAt} />],
        [t('campaigns.column.started'), <Time key="started" value={startedAt} />],
        [t('campaigns.details.ended'), endedAt === null ? null : <Time value={endedAt} />],
        [
          t('campaigns.details.limit'),
          maxPerMinute === null ? null : t('campaigns.details.perMinute', { count: maxPerMinute }),
        ],
      ]}
    />
  );
}

function TemplateLink({ id }: { id: string }) {
  const { chosen } = useTemplates(id);
  return (
    <Link to={`/templates/${id}`} className="plain-link">
      {chosen?.name ?? id}
    </Link>
  );
}

function SentContent({ campaign }: { campaign: Campaign }) {
  const { subject, html, text, audience } = campaign;
  const [contact, setContact] = useState<Contact | null>(null);
  const json = JSON.stringify(campaign.variables ?? {});
  const variables = useMemo(() => JSON.parse(json) as Record<string, unknown>, [json]);
  const parts = { subject: subject ?? '', html: html ?? '', text: text ?? '' };
  const rendered = useCampaignPreview(parts, variables, contact);
  return (
    <Preview rendered={rendered}>
      <ContactChoice value={contact} onChange={setContact} listId={audience.listIds[0]} />
    </Preview>
  );
}
