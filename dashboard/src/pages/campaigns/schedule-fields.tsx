import { NumberInput, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMemo } from 'react';

import { Panel } from '../../components/panel';
import type { CampaignForm } from './campaign-values';
import { timeZones, toZonedIso } from '../../components/zoned-time';

const MAX_PER_MINUTE = 60_000;

/** When the campaign is sent, and how fast. */
export function ScheduleFields({ form }: { form: CampaignForm }) {
  const zones = useMemo(() => timeZones(), []);
  const { timing, scheduledAt, zone } = form.values;
  return (
    <Panel title="Sending">
      <Stack>
        <SegmentedControl
          aria-label="When"
          data={[
            { value: 'at_once', label: 'When started' },
            { value: 'scheduled', label: 'At a set time' },
          ]}
          {...form.getInputProps('timing')}
        />
        {timing === 'scheduled' && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              type="datetime-local"
              label="Date and time"
              description={scheduledAt === '' ? 'At most 90 days ahead.' : inOtherZones(scheduledAt, zone)}
              {...form.getInputProps('scheduledAt')}
            />
            <Select
              label="Time zone"
              description="Of this date and time."
              data={zones}
              searchable
              allowDeselect={false}
              nothingFoundMessage="No matching time zones"
              {...form.getInputProps('zone')}
            />
          </SimpleGrid>
        )}
        <NumberInput
          label="Limit per minute"
          description="Leave empty to send as fast as the provider allows."
          min={1}
          max={MAX_PER_MINUTE}
          allowDecimal={false}
          thousandSeparator=","
          {...form.getInputProps('maxPerMinute')}
        />
      </Stack>
    </Panel>
  );
}

const inUtc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

function inOtherZones(scheduledAt: string, zone: string): string {
  const time = new Date(toZonedIso(scheduledAt, zone));
  return Number.isNaN(time.getTime()) ? 'At most 90 days ahead.' : `${inUtc.format(time)} UTC`;
}
