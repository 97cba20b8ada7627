import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';

interface Props {
  value: string;
  /** What is copied, for those who cannot see what it stands beside. */
  label: string;
  text?: string;
}

export function CopyButton({ value, label, text }: Props) {
  const { copied, copy } = useClipboard({ timeout: 1_500 });
  const Icon = copied ? Check : Copy;
  const onClick = () => {
    copy(value);
  };
  if (text !== undefined)
    return (
      <Button variant="default" size="xs" onClick={onClick} aria-label={label} leftSection={<Icon size={14} />}>
        {copied ? 'Copied' : text}
      </Button>
    );
  return (
    <Tooltip label={copied ? 'Copied' : label} openDelay={300}>
      <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} size="sm" onClick={onClick} aria-label={label}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
