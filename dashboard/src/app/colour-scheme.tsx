import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Monitor, Moon, Sun } from 'lucide-react';

import { t, type TextId } from '../texts/text';

const SCHEMES = [
  { value: 'light', label: 'common.appearance.light', icon: Sun },
  { value: 'dark', label: 'common.appearance.dark', icon: Moon },
  { value: 'auto', label: 'common.appearance.system', icon: Monitor },
] as const satisfies readonly { value: MantineColorScheme; label: TextId; [key: string]: unknown }[];

export function ColourSchemeMenuItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
      <Menu.Label>{t('common.appearance')}</Menu.Label>
      {SCHEMES.map(({ value, label, icon: Icon }) => (
        <Menu.RadioItem key={value} value={value} rightSection={<Icon size={15} aria-hidden />} closeMenuOnClick>
          {t(label)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
