import { Alert, Button, Center, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { CircleAlert, Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { ApiError } from '../api/client';
import { t } from '../texts/text';
import { usePageTitle } from './use-page-title';

export const Loading = ({ label = t('common.loading') }: { label?: string }) => (
  <Center mih={160} className="loading" role="status" aria-label={label}>
    <Loader size="sm" aria-hidden />
  </Center>
);

interface FailureProps {
  error: Error;
  onRetry?: () => void;
  /** Label of the retry button. */
  retry?: string;
}

export function LoadError({ error, onRetry, retry = t('common.action.tryAgain') }: FailureProps) {
  if (error instanceof ApiError && error.status === 404) return <NotFound message={error.message} />;
  return (
    <Failure title={t('common.error.load')} action={onRetry && <RetryButton onClick={onRetry}>{retry}</RetryButton>}>
      {error.message}
    </Failure>
  );
}

/** Takes the place of a part of the page whose code could not be loaded. */
export const NotLoaded = ({ onRetry }: { onRetry: () => void }) => (
  <Failure
    title={t('common.notLoaded.title')}
    action={<RetryButton onClick={onRetry}>{t('common.action.tryAgain')}</RetryButton>}
  >
    {t('common.notLoaded.text')}
  </Failure>
);

const Failure = ({ title, children, action }: { title: string; children: string; action?: ReactNode }) => (
  <Alert color="red" variant="outline" icon={<CircleAlert size={18} />} title={title} role="alert">
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{children}</Text>
      {action}
    </Stack>
  </Alert>
);

const RetryButton = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <Button size="xs" variant="default" onClick={onClick}>
    {children}
  </Button>
);

/** The message of a failed refresh, for lists that keep showing older data. */
export const refreshErrorText = (error: Error): string => t('common.error.refresh', { message: error.message });

interface EmptyProps {
  title: string;
  children?: ReactNode;
  icon?: LucideIcon;
  action?: ReactNode;
}

/** An empty state: says what belongs here and how to add it. */
export function Empty({ title, children, icon: Icon = Inbox, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon variant="light" color="gray" size={44} radius="xl">
        <Icon size={22} aria-hidden />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" size="sm" maw={440}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}

export function NotFound({ message = t('common.notFound.text') }: { message?: string }) {
  usePageTitle(t('common.notFound'));
  return (
    <Stack align="flex-start" py="xl" gap="sm">
      <Title order={1}>{t('common.notFound')}</Title>
      <Text c="dimmed">{message}</Text>
      <Button component={Link} to="/overview" variant="default">
        {t('common.notFound.goToOverview')}
      </Button>
    </Stack>
  );
}
