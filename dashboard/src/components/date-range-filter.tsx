import { Button, Popover, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CalendarDays, Check } from 'lucide-react';

import { language, type Language, locale } from '../texts/language';
import { t } from '../texts/text';
import { addDays, dayAt, isDay, isRangePreset, RANGE_PRESETS, type RangePreset, rangeOf, toTimes } from './date-ranges';
import { lazyPart } from './lazy-part';
import type { Filters } from './use-filters';
import { useNow } from './use-now';
import { LOCAL_ZONE } from './zoned-time';

/** The names of months and days; the English ones are part of the calendar. */
const CALENDAR_TEXTS: Readonly<Record<Language, () => Promise<unknown>>> = {
  en: () => Promise.resolve(),
  de: () => import('dayjs/locale/de'),
};

const CALENDAR_HEIGHT = 280;

const Calendar = lazyPart(
  async () => {
    const [module] = await Promise.all([import('./date-range-calendar'), CALENDAR_TEXTS[language]()]);
    return module;
  },
  <Skeleton height={CALENDAR_HEIGHT} width={CALENDAR_HEIGHT} />,
);

/** Filters by days in local time: a preset in `range`, or the days in `from` and `to`. */
export function DateRangeFilter({ filters, label }: { filters: Filters; label: string }) {
  const [isOpen, { close, toggle }] = useDisclosure();
  const today = dayAt(useNow(), LOCAL_ZONE);
  const preset = filters.get('range');
  const days = daysOf(filters, today);
  const isSet = (value: string) => value === preset && (value !== '' || Object.keys(days).length === 0);
  const choose = (change: Partial<Record<'range' | 'from' | 'to', string>>) => {
    filters.change({ range: null, from: null, to: null, ...change });
    close();
  };
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          className="range-button"
          leftSection={<CalendarDays size={15} aria-hidden />}
          aria-label={`${label}: ${textOf(filters)}`}
          onClick={toggle}
        >
          {textOf(filters)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="range-choice" aria-label={label}>
        <Stack gap={2} className="range-presets">
          {(['', ...RANGE_PRESETS] as const).map((value) => (
            <Button
              key={value}
              variant={isSet(value) ? 'light' : 'subtle'}
              color="gray"
              c="var(--mantine-color-text)"
              size="xs"
              fw={400}
              justify="space-between"
              rightSection={isSet(value) && <Check size={14} aria-label={t('common.selected')} />}
              onClick={() => choose(value === '' ? {} : { range: value })}
            >
              {nameOf(value)}
            </Button>
          ))}
        </Stack>
        <Calendar
          from={dayOrNull(days.from)}
          to={dayOrNull(days.to)}
          today={today}
          onChange={({ from, to }) => choose({ from, to })}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

const nameOf = (preset: RangePreset | ''): string => t(preset === '' ? 'common.range.any' : `common.range.${preset}`);

const dayOrNull = (day: string | undefined): string | null => (day !== undefined && isDay(day) ? day : null);

/** The days that the filters select. */
function daysOf(filters: Filters, today: string): { from?: string; to?: string } {
  const preset = filters.get('range');
  if (isRangePreset(preset)) return rangeOf(preset, today);
  const [from, to] = [filters.optional('from'), filters.optional('to')];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Returns the range for the query of a list: `from` is inclusive, `to` is exclusive. */
export const useRangeTimes = (filters: Filters): { from?: string; to?: string } =>
  toTimes(daysOf(filters, dayAt(useNow(), LOCAL_ZONE)), LOCAL_ZONE);

const DAY_AND_MONTH = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

function textOf(filters: Filters): string {
  const preset = filters.get('range');
  if (isRangePreset(preset)) return nameOf(preset);
  const [from, to] = [dayOrNull(filters.optional('from')), dayOrNull(filters.optional('to'))];
  const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
  if (from !== null && to !== null && from <= to) return DAY_AND_MONTH.formatRange(dateOf(from), dateOf(to));
  if (from !== null) return t('common.range.since', { date: DAY_AND_MONTH.format(dateOf(from)) });
  if (to !== null) return t('common.range.before', { date: DAY_AND_MONTH.format(dateOf(addDays(to, 1))) });
  return nameOf('');
}
