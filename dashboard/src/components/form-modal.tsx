import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { SubmitEventHandler, ReactNode } from 'react';

import { FormError } from './form-error';
import { useReturnFocus } from './use-return-focus';

interface Props extends Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size'> {
  submit: string;
  /** What submitting it runs: while it does, the form is busy, and where it is refused, the form says why, until it is closed. */
  action: { isPending: boolean; error: Error | null; reset: () => void };
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/** A small form in a dialog. Escape leaves everything as it is. */
export function FormModal({ submit, action, onSubmit, onClose, children, ...modal }: Props) {
  useReturnFocus(modal.opened);
  const close = () => {
    action.reset();
    onClose();
  };
  return (
    <Modal {...modal} onClose={close}>
      <form
        onSubmit={(event) => {
          event.stopPropagation(); // React tells a form around the dialog, too
          onSubmit(event);
        }}
      >
        <Stack>
          <FormError error={action.error} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
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
