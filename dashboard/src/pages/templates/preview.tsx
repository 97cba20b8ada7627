import { Alert, Tabs, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { lazyPart } from '../../components/lazy-part';
import { MailText } from '../../components/mail-text';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { t } from '../../texts/text';
import type { Rendered } from './use-rendered';

/** Loaded after the page. */
const MailPreview = lazyPart(() => import('../../components/mail-preview'));

interface Props {
  rendered: Rendered;
  /** Controls above the mail. */
  children?: ReactNode;
}

/** Shows a rendered draft. */
export const Preview = ({ rendered: { mail, error }, children }: Props) => (
  <Panel title={t('common.preview')} description={mail?.subject} isFlush>
    {children}
    {error && (
      <Alert color="red" variant="outline" role="alert" m="md" mb={0} p="xs">
        {error.message}
      </Alert>
    )}
    {mail ? (
      <Tabs key={mail.html === null ? 'text' : 'html'} defaultValue={mail.html === null ? 'text' : 'html'} mt="xs">
        <Tabs.List px="sm">
          <Tabs.Tab value="html">{t('common.field.html')}</Tabs.Tab>
          <Tabs.Tab value="text">{t('common.preview.text')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="html">
          {mail.html === null ? <NoPart /> : <HtmlPart html={mail.html} title={t('common.preview')} />}
        </Tabs.Panel>
        <Tabs.Panel value="text">{mail.text === null ? <NoPart /> : <MailText>{mail.text}</MailText>}</Tabs.Panel>
      </Tabs>
    ) : (
      <Empty title={t('common.preview.empty')}>{t('common.invalid.subjectAndBody')}</Empty>
    )}
  </Panel>
);

function HtmlPart({ html, title }: { html: string; title: string }) {
  const [hasImages, setHasImages] = useState(true);
  return <MailPreview html={html} title={title} hasImages={hasImages} onChangeImages={setHasImages} />;
}

const NoPart = () => (
  <Text c="dimmed" size="sm" p="md">
    {t('common.preview.noPart')}
  </Text>
);
