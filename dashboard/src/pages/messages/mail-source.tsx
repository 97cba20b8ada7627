import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { MailText } from '../../components/mail-text';
import { LoadError, Loading } from '../../components/states';
import { DeletedContent } from './deleted-content';

/** The mail with all headers (RFC 5322). */
export function MailSource({ message: { id, attachments } }: { message: MessageDetail }) {
  const { data, error } = useQuery({
    queryKey: ['message', id, 'source'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages/{id}/source', { params: { path: { id } }, signal })),
  });
  if (!data) return error ? <LoadError error={error} /> : <Loading />;
  if (data.source === null) return <DeletedContent />;
  return (
    <>
      <Text c="dimmed" size="sm" px="md" pt="sm">
        The mail as the current provider gets it.
        {attachments.length > 0 && ' Only the beginning of each attachment is shown.'}
      </Text>
      <MailText isSource>{data.source}</MailText>
    </>
  );
}
