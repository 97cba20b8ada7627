import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { History } from 'lucide-react';

import type { Schemas } from '../../api/types';
import { lazyDialog } from '../../components/lazy-dialog';
import { t } from '../../texts/text';

const TemplateHistory = lazyDialog(() => import('./template-history'));

interface Props {
  templateId: string;
  /** Whether the editor has unsaved changes, which a restore would discard. */
  isDirty: boolean;
  onRestored: (version: Schemas['TemplateVersionDetailResponse']) => void;
}

export function HistoryButton(props: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<History size={16} />} onClick={open}>
        {t('templates.history')}
      </Button>
      {isOpen && <TemplateHistory {...props} onClose={close} />}
    </>
  );
}
