import { Alert, Tabs, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { MailPreview } from '../../components/mail-preview';
import { MailText } from '../../components/mail-text';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import type { Rendered } from './use-rendered';

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
  return <MailPreview html={html} title="Preview" hasImages={hasImages} onChangeImages={setHasImages} />;
}

const NoPart = ({ of }: { of: string }) => (
  <Text c="dimmed" size="sm" p="md">
    The {of} does not have this part.
  </Text>
);
