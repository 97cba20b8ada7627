import { Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';

import type { MessageDetail } from '../../api/types';
import { CopyableText } from '../../components/copyable-text';
import { LoadError, Loading } from '../../components/states';
import { DeletedContent } from './deleted-content';
import { useMailSource } from './use-mail-source';

interface Props {
  message: MessageDetail;
  html: string | null;
}

/** The mail with all headers (RFC 5322), or its HTML alone. */
export function MailSource({ message, html }: Props) {
  const [shown, setShown] = useState('mail');
  if (html === null) return <WholeMail message={message} />;
  return (
    <>
      <Group className="mail-bar">
        <SegmentedControl
          size="xs"
          aria-label="Source of"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'mail', label: 'Whole mail' },
            { value: 'html', label: 'HTML only' },
          ]}
        />
      </Group>
      {shown === 'html' ? (
        <CopyableText isSource label="Copy HTML">
          {html}
        </CopyableText>
      ) : (
        <WholeMail message={message} />
      )}
    </>
  );
}

function WholeMail({ message: { id, attachments } }: { message: MessageDetail }) {
  const { data, error } = useMailSource(id);
  if (!data) return error ? <LoadError error={error} /> : <Loading />;
  if (data.source === null) return <DeletedContent />;
  return (
    <>
      <Text c="dimmed" size="sm" px="md" pt="sm">
        The mail as the current provider gets it.
        {attachments.length > 0 && ' Only the beginning of each attachment is shown.'}
      </Text>
      <CopyableText isSource label="Copy source">
        {data.source}
      </CopyableText>
    </>
  );
}
