import { Button, Stack, Text } from '@mantine/core';

import { confirmAction } from '../../components/confirm-action';
import { Warning } from '../../components/warning';
import { t } from '../../texts/text';
import type { CampaignStatusValue } from './campaign-status';

interface Props {
  status: CampaignStatusValue;
  onLoad: () => void;
}

/** Says that the status has changed while the form has unsaved changes, which loading the campaign discards. */
export function ChangedMeanwhile({ status, onLoad }: Props) {
  const confirm = () =>
    confirmAction({
      title: t('campaigns.changed.discard.title'),
      children: t('campaigns.changed.discard.text'),
      confirm: t('campaigns.changed.discard.confirm'),
      onConfirm: onLoad,
    });
  return (
    <Warning title={t('campaigns.changed.title')} mb="md" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('campaigns.changed.text', { status: t(`campaigns.status.${status}`) })}</Text>
        <Button size="xs" variant="default" onClick={confirm}>
          {t('campaigns.changed.load')}
        </Button>
      </Stack>
    </Warning>
  );
}
