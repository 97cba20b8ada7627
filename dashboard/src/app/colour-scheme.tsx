import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Check, Monitor, Moon, Sun } from 'lucide-react';

import { t, type TextId } from '../texts/text';

const SCHEMES = [
  { value: 'light', label: 'common.appearance.light', icon: Sun },
  { value: 'dark', label: 'common.appearance.dark', icon: Moon },
  { value: 'auto', label: 'common.appearance.system', icon: Monitor },
] as const satisfies readonly { value: MantineColorScheme; label: TextId; [key: string]: unknown }[];

export function ColourSchemeMenuItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{t('common.appearance')}</Menu.Label>
      {SCHEMES.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon size={15} aria-hidden />}
          rightSection={value === colorScheme && <Check size={15} aria-label={t('common.selected')} />}
          onClick={() => {
            setColorScheme(value);
          }}
        >
          {t(label)}
        </Menu.Item>
      ))}
    </>
  );
}
