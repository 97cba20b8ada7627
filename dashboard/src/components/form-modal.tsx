import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { SubmitEventHandler, ReactNode } from 'react';

import { t } from '../texts/text';
import { FormError } from './form-error';
import { useReturnFocus } from './use-return-focus';

interface Props extends Pick<ModalProps, 'onClose' | 'title' | 'size'> {
  submit: string;
  /** The action that submitting runs. The form shows its progress and its error. */
  action: { isPending: boolean; error: Error | null };
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/**
 * A form in a dialog. Escape cancels; a click beside the dialog does not, which would discard what is typed. Rendered
 * only while it is open: what is still being sent then leaves the next dialog alone.
 */
export function FormModal({ submit, action, onSubmit, onClose, children, ...modal }: Props) {
  useReturnFocus();
  return (
    <Modal {...modal} opened onClose={onClose} closeOnClickOutside={false}>
      <form
        onSubmit={(event) => {
          event.stopPropagation(); // React events bubble to a form around the dialog, through the portal
          onSubmit(event);
        }}
      >
        <Stack>
          <FormError error={action.error} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.action.cancel')}
            </Button>
            <Button type="submit" loading={action.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
