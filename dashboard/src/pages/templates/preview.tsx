import { Alert, Tabs, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { lazyPart } from '../../components/lazy-part';
import { MailText } from '../../components/mail-text';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { t } from '../../texts/text';
import type { Rendered } from './use-rendered';

const MailPreview = lazyPart(() => import('../../components/mail-preview'));

interface Props {
  rendered: Rendered;
  /** Controls above the mail. */
  children?: ReactNode;
}

/** Shows a rendered draft. While a draft cannot be rendered, as in the middle of a tag, the one before it stays. */
export function Preview({ rendered: { mail, error }, children }: Props) {
  const [last, setLast] = useState(mail);
  if (mail && mail !== last) setLast(mail);
  const shown = mail ?? (error ? last : undefined);
  return (
    <Panel title={t('common.preview')} description={shown?.subject} isFlush>
      {children}
      {error && (
        <Alert color="red" variant="outline" role="alert" m="md" mb={shown ? 0 : 'md'} p="xs">
          {error.message}
        </Alert>
      )}
      {shown && <Parts mail={shown} />}
      {!shown && !error && <Empty title={t('common.preview.empty')}>{t('common.invalid.subjectAndBody')}</Empty>}
    </Panel>
  );
}

const Parts = ({ mail: { html, text } }: { mail: NonNullable<Rendered['mail']> }) => (
  <Tabs key={html === null ? 'text' : 'html'} defaultValue={html === null ? 'text' : 'html'} mt="xs">
    <Tabs.List px="sm">
      <Tabs.Tab value="html">{t('common.field.html')}</Tabs.Tab>
      <Tabs.Tab value="text">{t('common.preview.text')}</Tabs.Tab>
    </Tabs.List>
    <Tabs.Panel value="html">
      {html === null ? <NoPart /> : <HtmlPart html={html} title={t('common.preview')} />}
    </Tabs.Panel>
    <Tabs.Panel value="text">{text === null ? <NoPart /> : <MailText>{text}</MailText>}</Tabs.Panel>
  </Tabs>
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
