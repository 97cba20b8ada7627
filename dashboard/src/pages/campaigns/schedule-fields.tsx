import { NumberInput, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMemo } from 'react';

import { Panel } from '../../components/panel';
import { locale } from '../../texts/language';
import { NUMBER_SEPARATORS } from '../../texts/number-separators';
import { t } from '../../texts/text';
import type { CampaignForm } from './campaign-values';
import { timeZones, toZonedIso } from '../../components/zoned-time';

const MAX_PER_MINUTE = 60_000;

/** The start time and the speed of the campaign. */
export function ScheduleFields({ form }: { form: CampaignForm }) {
  const zones = useMemo(() => timeZones(), []);
  const { timing, scheduledAt, zone } = form.values;
  return (
    <Panel title={t('campaigns.schedule.title')}>
      <Stack>
        <SegmentedControl
          aria-label={t('campaigns.schedule.when')}
          data={[
            { value: 'at_once', label: t('campaigns.schedule.when.started') },
            { value: 'scheduled', label: t('campaigns.schedule.when.scheduled') },
          ]}
          {...form.getInputProps('timing')}
        />
        {timing === 'scheduled' && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              type="datetime-local"
              label={t('campaigns.schedule.at')}
              description={inUtc(scheduledAt, zone) ?? t('campaigns.schedule.at.description')}
              {...form.getInputProps('scheduledAt')}
            />
            <Select
              label={t('campaigns.schedule.zone')}
              description={t('campaigns.schedule.zone.description')}
              data={zones}
              searchable
              allowDeselect={false}
              nothingFoundMessage={t('campaigns.schedule.zone.noneFound')}
              {...form.getInputProps('zone')}
            />
          </SimpleGrid>
        )}
        <NumberInput
          label={t('campaigns.schedule.maxPerMinute')}
          description={t('campaigns.schedule.maxPerMinute.description')}
          min={1}
          max={MAX_PER_MINUTE}
          allowDecimal={false}
          {...NUMBER_SEPARATORS}
          {...form.getInputProps('maxPerMinute')}
        />
      </Stack>
    </Panel>
  );
}

const UTC = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Returns null while the time is incomplete. */
function inUtc(scheduledAt: string, zone: string): string | null {
  if (scheduledAt === '') return null;
  const time = new Date(toZonedIso(scheduledAt, zone));
  return Number.isNaN(time.getTime()) ? null : `${UTC.format(time)} UTC`;
}
