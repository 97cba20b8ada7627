import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { useReturnFocus } from '../components/use-return-focus';
import { SECTION_PATHS } from './section-paths';
import { SECTIONS } from './sections';
import { SECTION_KEYS } from './shortcuts';
import { useIsAdmin } from './use-is-admin';
import { useSingleKeys } from './use-shortcuts';

/** Lists the keyboard shortcuts. Loaded on demand. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  useReturnFocus(true);
  const isAdmin = useIsAdmin();
  const [areSingleKeysOn, setSingleKeysOn] = useSingleKeys();
  const sections = SECTION_PATHS.filter((path) => SECTION_KEYS[path] && (isAdmin || !SECTIONS[path].isAdminOnly));
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg">
      <Stack gap="md">
        <dl className="shortcuts">
          <Entry name="Search and jump">
            <Kbd>Ctrl</Kbd> or <Kbd>⌘</Kbd> + <Kbd>K</Kbd>
          </Entry>
          <Entry name="Search this list">
            <Kbd>/</Kbd>
          </Entry>
          <Entry name="Next row">
            <Kbd>J</Kbd>
          </Entry>
          <Entry name="Previous row">
            <Kbd>K</Kbd>
          </Entry>
          <Entry name="Open row">
            <Kbd>Enter</Kbd>
          </Entry>
          <Entry name="Keyboard shortcuts">
            <Kbd>?</Kbd>
          </Entry>
          {sections.map((path) => (
            <Entry key={path} name={SECTIONS[path].label}>
              <Kbd>G</Kbd> then <Kbd>{SECTION_KEYS[path]}</Kbd>
            </Entry>
          ))}
        </dl>
        <Switch
          label="Shortcuts of single keys"
          description="Turn them off if keys are pressed by accident. Search and jump stays on."
          checked={areSingleKeysOn}
          onChange={({ currentTarget: { checked } }) => setSingleKeysOn(checked)}
        />
      </Stack>
    </Modal>
  );
}

const Entry = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>
      <Text size="sm">{name}</Text>
    </dt>
    <Group component="dd" gap={6} m={0} fz="sm">
      {children}
    </Group>
  </div>
);
