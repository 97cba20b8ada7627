import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { Download } from 'lucide-react';

import { fetchApi } from '../../api/client';
import type { Schemas } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Panel } from '../../components/panel';
import { saveAs } from '../../components/save-as';
import { useAction } from '../../components/use-action';

type Attachment = Schemas['AttachmentResponse'];

interface Props {
  messageId: string;
  attachments: readonly Attachment[];
}

export function Attachments({ messageId, attachments }: Props) {
  const columns: readonly Column<Attachment>[] = [
    { header: 'Name', cell: (attachment) => <Name attachment={attachment} /> },
    { header: 'Type', cell: ({ contentType }) => contentType },
    { header: 'Size', cell: ({ size }) => formatSize(size), align: 'right', width: '6rem' },
    {
      header: 'Download',
      isHeaderHidden: true,
      cell: (attachment) => <DownloadButton messageId={messageId} attachment={attachment} />,
      align: 'right',
      width: '4rem',
    },
  ];
  return (
    <Panel title="Attachments" isFlush>
      <DataTable caption="Attachments" columns={columns} rows={attachments} keyOf={({ number }) => number.toString()} />
    </Panel>
  );
}

const Name = ({ attachment: { filename, contentId } }: { attachment: Attachment }) => (
  <div>
    {filename}
    {contentId !== null && (
      <Text c="dimmed" size="xs">
        Inline, cid:{contentId}
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
  const label = `Download ${filename}`;
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

/** For example `12 bytes`, `58.4 kB`, `1.25 MB`. */
function formatSize(bytes: number): string {
  const power = bytes < 1_000 ? 0 : bytes < 999_500 ? 1 : 2;
  const format = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  });
  return format.format(bytes / 1_000 ** power);
}
