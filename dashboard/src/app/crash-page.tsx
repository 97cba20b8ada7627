import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';

import { t } from '../texts/text';
import { forgetFailedLoads } from './lazy-with-texts';

/** Replaces a page that failed, for example because a newer version of the service has replaced its files. */
export function CrashPage() {
  const error = useRouteError();
  useEffect(forgetFailedLoads, []);
  return (
    <Stack align="flex-start" p="xl" maw={560} role="alert">
      <Title order={1}>{t('common.crash.title')}</Title>
      <Text>{t('common.crash.text')}</Text>
      <Text c="dimmed" className="mono">
        {error instanceof Error ? error.message : String(error)}
      </Text>
      <Button
        onClick={() => {
          window.location.reload();
        }}
      >
        {t('common.action.reload')}
      </Button>
    </Stack>
  );
}
