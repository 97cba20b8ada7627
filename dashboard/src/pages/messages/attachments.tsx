import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { Download } from 'lucide-react';

import { fetchApi } from '../../api/client';
import type { Schemas } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Panel } from '../../components/panel';
import { saveAs } from '../../components/save-as';
import { useAction } from '../../components/use-action';
import { locale } from '../../texts/language';
import { t } from '../../texts/text';

type Attachment = Schemas['AttachmentResponse'];

interface Props {
  messageId: string;
  attachments: readonly Attachment[];
}

export function Attachments({ messageId, attachments }: Props) {
  const columns: readonly Column<Attachment>[] = [
    { header: 'common.column.name', cell: (attachment) => <Name attachment={attachment} /> },
    { header: 'common.column.type', cell: ({ contentType }) => contentType },
    { header: 'messages.column.size', cell: ({ size }) => formatSize(size), align: 'right', width: '6rem' },
    {
      header: 'messages.column.download',
      isHeaderHidden: true,
      cell: (attachment) => <DownloadButton messageId={messageId} attachment={attachment} />,
      align: 'right',
      width: '4rem',
    },
  ];
  return (
    <Panel title={t('messages.attachments')} isFlush>
      <DataTable
        caption={t('messages.attachments')}
        columns={columns}
        rows={attachments}
        keyOf={({ number }) => number.toString()}
      />
    </Panel>
  );
}

const Name = ({ attachment: { filename, contentId } }: { attachment: Attachment }) => (
  <div>
    {filename}
    {contentId !== null && (
      <Text c="dimmed" size="xs">
        {t('messages.attachments.inline', { contentId })}
      </Text>
    )}
  </div>
);

function DownloadButton({
  messageId,
  attachment: { number, filename },
}: {
  messageId: string;
  attachment: Attachment;
}) {
  const label = t('messages.attachments.download', { filename });
  const download = useAction({
    run: async () => {
      const response = await fetchApi(`/api/messages/${messageId}/attachments/${number}`);
      saveAs(filename, await response.blob());
    },
  });
  return (
    <Tooltip label={label} openDelay={300}>
      <ActionIcon
        variant="subtle"
        color="gray"
        loading={download.isPending}
        onClick={() => download.mutate()}
        aria-label={label}
      >
        <Download size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte'] as const;

/** Formats a size in the style of the language, in English for example `12 bytes`, `58.4 kB`, `1.25 MB`. */
function formatSize(bytes: number): string {
  const power = bytes < 1_000 ? 0 : bytes < 999_500 ? 1 : 2;
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  });
  return format.format(bytes / 1_000 ** power);
}
