import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { fetchApi } from '../../api/client';
import type { MessageDetail, Schemas } from '../../api/types';
import MailPreview from '../../components/mail-preview';
import { t } from '../../texts/text';

type Attachment = Schemas['AttachmentResponse'];

/** The formats that are shown as images: they cannot contain scripts or links. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The HTML of a message. Images are off until somebody wants them, and only those in the message are shown. */
export function MessagePreview({ message: { id, attachments }, html }: { message: MessageDetail; html: string }) {
  const [hasImages, setHasImages] = useState(false);
  const inline = attachments.filter(({ contentId, contentType }) => contentId !== null && isImage(contentType));
  const { data } = useQuery({
    queryKey: ['message', id, 'images'],
    queryFn: async ({ signal }) =>
      new Map(await Promise.all(inline.map((attachment) => loadImage(id, attachment, signal)))),
    staleTime: Infinity,
    enabled: hasImages && inline.length > 0,
  });
  return (
    <MailPreview
      html={html}
      title={t('messages.content')}
      hasImages={hasImages}
      onChangeImages={setHasImages}
      inlineImages={data}
    />
  );
}

const isImage = (contentType: string): boolean => IMAGE_TYPES.includes(contentType);

/** Returns the content id and the `data:` URL. */
async function loadImage(
  id: string,
  { number, contentId, contentType }: Attachment,
  signal: AbortSignal,
): Promise<[contentId: string, url: string]> {
  const response = await fetchApi(`/api/messages/${id}/attachments/${number}`, { signal });
  const image = new Blob([await response.arrayBuffer()], { type: contentType });
  return [contentId ?? '', await toDataUrl(image)];
}

function toDataUrl(blob: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The image could not be read.'));
    reader.readAsDataURL(blob);
  });
}
