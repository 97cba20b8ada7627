import '@mantine/dates/styles.css';

import { Stack, Text } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useState } from 'react';

import { language } from '../texts/language';
import { t } from '../texts/text';
import type { DayRange } from './date-ranges';

interface Props {
  from: string | null;
  to: string | null;
  today: string;
  onChange: (range: DayRange) => void;
}

/** A calendar for a first and a last day, loaded on demand. */
export default function DateRangeCalendar({ from, to, today, onChange }: Props) {
  const [value, setValue] = useState<[string | null, string | null]>([from, to]);
  const isHalf = value[0] !== null && value[1] === null;
  return (
    <Stack gap={4}>
      <DatePicker
        type="range"
        locale={language}
        size="sm"
        allowSingleDateInRange
        maxDate={today}
        hideOutsideDates
        weekendDays={[]}
        defaultDate={to ?? from ?? today}
        firstDayOfWeek={1}
        value={value}
        onChange={(days) => {
          setValue(days);
          const [first, last] = days;
          if (first !== null && last !== null) onChange({ from: first, to: last });
        }}
        ariaLabels={{ previousMonth: t('common.month.previous'), nextMonth: t('common.month.next') }}
      />
      <Text size="xs" c="dimmed" role="status">
        {isHalf && t('common.range.last')}
      </Text>
    </Stack>
  );
}
