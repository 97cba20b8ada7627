import { Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';

import type { MessageDetail } from '../../api/types';
import { CopyableText } from '../../components/copyable-text';
import { LoadError, Loading } from '../../components/states';
import { t } from '../../texts/text';
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
          aria-label={t('messages.source.of')}
          value={shown}
          onChange={setShown}
          data={[
            { value: 'mail', label: t('messages.source.mail') },
            { value: 'html', label: t('messages.source.html') },
          ]}
        />
      </Group>
      {shown === 'html' ? (
        <CopyableText isSource label={t('messages.source.copyHtml')}>
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
        {t(attachments.length > 0 ? 'messages.source.explanationWithAttachments' : 'messages.source.explanation')}
      </Text>
      <CopyableText isSource label={t('messages.source.copy')}>
        {data.source}
      </CopyableText>
    </>
  );
}
