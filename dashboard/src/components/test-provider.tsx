import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { useEffect } from 'react';

import { api, unwrap } from '../api/client';
import { t } from '../texts/text';
import { useAction } from './use-action';

/** Connects to the email provider without sending anything, and shows the result until the settings are changed. */
export function TestProvider({ size }: Pick<ButtonProps, 'size'>) {
  const { data, isPending, mutate, reset } = useAction({ run: () => unwrap(api.POST('/api/settings/test')) });
  const isChanging = useIsMutating({ mutationKey: ['settings'] }) > 0;
  useEffect(() => {
    if (isChanging) reset();
  }, [isChanging, reset]);
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size={size}
        leftSection={<PlugZap size={14} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t('common.testProvider')}
      </Button>
      <Text size="sm" role="status" className="break" c={data?.ok === false ? 'var(--mantine-color-error)' : undefined}>
        {data?.ok === true && t('common.testProvider.ok')}
        {data?.error}
      </Text>
    </Group>
  );
}
