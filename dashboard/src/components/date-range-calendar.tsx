import '@mantine/dates/styles.css';

import { DatePicker } from '@mantine/dates';
import { useState } from 'react';

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
  return (
    <DatePicker
      type="range"
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
      ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
    />
  );
}
