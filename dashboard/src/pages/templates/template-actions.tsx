import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SendHorizontal } from 'lucide-react';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { DangerButton } from '../../components/danger-button';
import { useAction } from '../../components/use-action';
import { SendTest } from './send-test';

interface Props {
  template: Schemas['TemplateResponse'];
  variables: Record<string, unknown>;
  isDirty: boolean;
}

export function TemplateActions({ template: { id, name }, variables, isDirty }: Props) {
  const navigate = useNavigate();
  const [isTesting, { open, close }] = useDisclosure();
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/templates/{id}', { params: { path: { id } } })),
    successMessage: `“${name}” has been deleted.`,
    onSuccess: () => void navigate('/templates'),
  });
  return (
    <>
      <DangerButton
        label="Delete"
        title={`Delete “${name}”?`}
        confirm="Delete template"
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        Requests that use this template will be rejected. Messages already accepted keep their content.
      </DangerButton>
      <Button
        variant="default"
        leftSection={<SendHorizontal size={16} />}
        disabled={isDirty}
        title={isDirty ? 'Save first: the test uses the saved template' : undefined}
        onClick={open}
      >
        Send a test
      </Button>
      {isTesting && <SendTest templateId={id} variables={variables} onClose={close} />}
    </>
  );
}
