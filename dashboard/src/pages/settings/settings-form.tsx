import { Button, Fieldset, Group, Stack } from '@mantine/core';
import type { SubmitEventHandler, ReactNode } from 'react';

import { FormError } from '../../components/form-error';
import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import type { Settings } from './use-settings-form';

export interface SettingsProps {
  settings: Settings;
  isAdmin: boolean;
}

interface Props {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  isAdmin: boolean;
  isBusy: boolean;
  isDirty: boolean;
  error: Error | null;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/** One section of the settings, saved on its own. Read-only for members. */
export const SettingsForm = (props: Props) => (
  <Panel title={props.title} description={props.description} actions={props.actions}>
    <form onSubmit={props.onSubmit}>
      <Fieldset variant="unstyled" disabled={!props.isAdmin}>
        <Stack>
          <FormError error={props.error} />
          {props.children}
          {props.isAdmin && (
            <Group justify="flex-end">
              <Button
                type="submit"
                loading={props.isBusy}
                disabled={!props.isDirty}
                aria-label={t('settings.save.label', { section: props.title })}
              >
                {t('common.action.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  </Panel>
);
