import { Alert, Tabs, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { MailText } from '../../components/mail-text';
import { Panel } from '../../components/panel';
import { Empty, Loading } from '../../components/states';
import type { Rendered } from './use-rendered';

/** Loaded after the page. */
const MailPreview = lazy(() => import('../../components/mail-preview'));

interface Props {
  rendered: Rendered;
  /** What it is that has or lacks an HTML or text part. */
  of: string;
  /** Controls above the mail. */
  children?: ReactNode;
}

/** Shows a rendered draft. */
export const Preview = ({ rendered: { mail, error }, of, children }: Props) => (
  <Panel title="Preview" description={mail?.subject} isFlush>
    {children}
    {error && (
      <Alert color="red" variant="outline" role="alert" m="md" mb={0} p="xs">
        {error.message}
      </Alert>
    )}
    {mail ? (
      <Tabs key={mail.html === null ? 'text' : 'html'} defaultValue={mail.html === null ? 'text' : 'html'} mt="xs">
        <Tabs.List px="sm">
          <Tabs.Tab value="html">HTML</Tabs.Tab>
          <Tabs.Tab value="text">Text</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="html">{mail.html === null ? <NoPart of={of} /> : <HtmlPart html={mail.html} />}</Tabs.Panel>
        <Tabs.Panel value="text">
          {mail.text === null ? <NoPart of={of} /> : <MailText>{mail.text}</MailText>}
        </Tabs.Panel>
      </Tabs>
    ) : (
      <Empty title="Nothing to preview yet">Enter a subject and a body.</Empty>
    )}
  </Panel>
);

function HtmlPart({ html }: { html: string }) {
  const [hasImages, setHasImages] = useState(true);
  return (
    <Suspense fallback={<Loading />}>
      <MailPreview html={html} title="Preview" hasImages={hasImages} onChangeImages={setHasImages} />
    </Suspense>
  );
}

const NoPart = ({ of }: { of: string }) => (
  <Text c="dimmed" size="sm" p="md">
    The {of} does not have this part.
  </Text>
);
