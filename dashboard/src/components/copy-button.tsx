import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect } from 'react';

import { copyText } from './copy-text';
import { useAction } from './use-action';

const SHOWN_MS = 1_500;

interface Props {
  value: string;
  /** The accessible name. */
  label: string;
  text?: string;
}

export function CopyButton({ value, label, text }: Props) {
  const { isSuccess: isCopied, mutate: copy, reset } = useAction({ run: () => copyText(value) });
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(reset, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied, reset]);
  const Icon = isCopied ? Check : Copy;
  const onClick = () => copy();
  if (text !== undefined)
    return (
      <Button variant="default" size="xs" onClick={onClick} aria-label={label} leftSection={<Icon size={14} />}>
        {isCopied ? 'Copied' : text}
      </Button>
    );
  return (
    <Tooltip label={isCopied ? 'Copied' : label} openDelay={300}>
      <ActionIcon variant="subtle" color={isCopied ? 'teal' : 'gray'} size="sm" onClick={onClick} aria-label={label}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
