import { Button } from '@mantine/core';

import { t } from '../texts/text';
import { confirmAction, type Confirmation } from './confirm-action';

interface Props extends Confirmation {
  label: string;
  /** The name of the row, so that the accessible name of the button is unique. */
  of?: string;
  isSmall?: boolean;
  isBusy?: boolean;
}

/** A button for actions that are hard to undo: asks for confirmation. */
export const DangerButton = ({ label, of, isSmall = false, isBusy = false, ...confirmation }: Props) => (
  <Button
    variant="subtle"
    color="red"
    size={isSmall ? 'compact-xs' : undefined}
    loading={isBusy}
    aria-label={of && t('common.action.of', { action: label, name: of })}
    onClick={() => confirmAction(confirmation)}
  >
    {label}
  </Button>
);
