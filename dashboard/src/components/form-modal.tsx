import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { SubmitEventHandler, ReactNode } from 'react';

import { FormError } from './form-error';

interface Props extends Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size'> {
  submit: string;
  isBusy: boolean;
  /** Why the service refused it. */
  error: Error | null;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/** A small form in a dialog. Escape leaves everything as it is. */
export const FormModal = ({ submit, isBusy, error, onSubmit, children, ...modal }: Props) => (
  <Modal {...modal}>
    <form
      onSubmit={(event) => {
        event.stopPropagation(); // React tells a form around the dialog, too
        onSubmit(event);
      }}
    >
      <Stack>
        <FormError error={error} />
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={modal.onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  </Modal>
);
