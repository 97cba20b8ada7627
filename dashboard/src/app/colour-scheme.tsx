import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Check, Monitor, Moon, Sun } from 'lucide-react';

const SCHEMES = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'auto', label: 'System', icon: Monitor },
] as const satisfies readonly { value: MantineColorScheme; [key: string]: unknown }[];

export function ColourSchemeMenuItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Appearance</Menu.Label>
      {SCHEMES.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon size={15} aria-hidden />}
          rightSection={value === colorScheme && <Check size={15} aria-label="selected" />}
          onClick={() => {
            setColorScheme(value);
          }}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
