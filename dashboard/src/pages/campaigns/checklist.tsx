import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { FormError } from '../../components/form-error';
import { Panel } from '../../components/panel';
import { Status } from '../../components/status';
import { t } from '../../texts/text';
import type { Check } from './checks';

interface Props {
  checks: readonly (Check | null)[];
  /** The reason why the API refused to start the campaign. */
  refusal: Error | null;
  children?: ReactNode;
}

/** The checks before a campaign starts. The API checks the required ones again. */
export const Checklist = ({ checks, refusal, children }: Props) => (
  <Panel title={t('campaigns.checks.title')}>
    <Stack gap="md">
      <ul className="checks">
        {checks.map(
          (check) =>
            check && (
              <li key={check.label}>
                <Status tone={check.tone} label={check.label} />
                {check.detail !== undefined && (
                  <Text size="sm" c="dimmed" className="break">
                    {check.detail}
                  </Text>
                )}
              </li>
            ),
        )}
      </ul>
      <FormError error={refusal} />
      {children}
    </Stack>
  </Panel>
);
