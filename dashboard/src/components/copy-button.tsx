import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect } from 'react';

import { t } from '../texts/text';
import { copyText } from './copy-text';
import { RowAction } from './row-actions';
import { useAction } from './use-action';

const SHOWN_MS = 1_500;

interface Props {
  value: string;
  /** The accessible name. */
  label: string;
  text?: string;
}

/** Copies `value`. For a moment afterwards, `isCopied` is true. */
function useCopy(value: string) {
  const { isSuccess: isCopied, mutate: copy, reset } = useAction({ run: () => copyText(value) });
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(reset, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied, reset]);
  return { isCopied, Icon: isCopied ? Check : Copy, onClick: () => copy() };
}

/** A copy button for the rows of a list. */
export function CopyRowAction({ value, label }: Pick<Props, 'value' | 'label'>) {
  const { isCopied, Icon, onClick } = useCopy(value);
  return <RowAction label={isCopied ? t('common.copied') : label} icon={Icon} onClick={onClick} />;
}

export function CopyButton({ value, label, text }: Props) {
  const { isCopied, Icon, onClick } = useCopy(value);
  if (text !== undefined)
    return (
      <Button variant="default" size="xs" onClick={onClick} aria-label={label} leftSection={<Icon size={14} />}>
        {isCopied ? t('common.copied') : text}
      </Button>
    );
  return (
    <Tooltip label={isCopied ? t('common.copied') : label} openDelay={300}>
      <ActionIcon variant="subtle" color={isCopied ? 'teal' : 'gray'} size="sm" onClick={onClick} aria-label={label}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
