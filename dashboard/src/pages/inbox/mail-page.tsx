import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';

import { DescriptionList } from '../../components/description-list';
import { MailFrame } from '../../components/mail-frame';
import { MailText } from '../../components/mail-text';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import { openMail } from './demo-inbox';

export default function MailPage() {
  const { number = '' } = useParams();
  const { data, error } = useQuery({
    queryKey: ['inbox', number],
    queryFn: ({ signal }) => openMail(number, signal),
    staleTime: Infinity,
  });
  if (!data) return error ? <LoadError error={error} /> : <Loading />;
  const { subject, from, to, receivedAt, html, text, raw } = data;
  return (
    <>
      <PageHeader title={subject || t('inbox.noSubject')} back={{ to: '/inbox', label: t('common.section.inbox') }} />
      <Panel isFlush>
        <div className="mail-head">
          <DescriptionList
            items={[
              [t('common.column.from'), from],
              [t('common.column.to'), to.join(', ')],
              [t('inbox.column.received'), <Time key="received" value={receivedAt} format="precise" />],
            ]}
          />
        </div>
        <Tabs defaultValue={html === null ? 'text' : 'html'} keepMounted={false}>
          <Tabs.List px="sm">
            {html !== null && <Tabs.Tab value="html">{t('common.field.html')}</Tabs.Tab>}
            <Tabs.Tab value="text">{t('common.preview.text')}</Tabs.Tab>
            <Tabs.Tab value="source">{t('inbox.source')}</Tabs.Tab>
          </Tabs.List>
          {html !== null && (
            <Tabs.Panel value="html">
              <MailFrame html={html} title={t('inbox.content')} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="text">
            <MailText>{text}</MailText>
          </Tabs.Panel>
          <Tabs.Panel value="source">
            <MailText isSource>{raw}</MailText>
          </Tabs.Panel>
        </Tabs>
      </Panel>
    </>
  );
}
