import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { useReturnFocus } from '../components/use-return-focus';
import { RichText } from '../texts/rich-text';
import { t } from '../texts/text';
import { SECTION_PATHS } from './section-paths';
import { SECTIONS } from './sections';
import { SECTION_KEYS } from './shortcuts';
import { useIsAdmin } from './use-is-admin';
import { useSingleKeys } from './use-shortcuts';

/** Lists the keyboard shortcuts. Loaded on demand. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  useReturnFocus();
  const isAdmin = useIsAdmin();
  const [areSingleKeysOn, setSingleKeysOn] = useSingleKeys();
  const sections = SECTION_PATHS.filter((path) => SECTION_KEYS[path] && (isAdmin || !SECTIONS[path].isAdminOnly));
  return (
    <Modal opened onClose={onClose} title={t('common.shortcuts')} size="lg">
      <Stack gap="md">
        <dl className="shortcuts">
          <Entry name={t('common.shortcuts.palette')}>
            <RichText id="common.shortcuts.palette.keys" tags={{ key: <Kbd /> }} />
          </Entry>
          <Entry name={t('common.shortcuts.search')}>
            <Kbd>/</Kbd>
          </Entry>
          <Entry name={t('common.shortcuts.next')}>
            <Kbd>J</Kbd>
          </Entry>
          <Entry name={t('common.shortcuts.previous')}>
            <Kbd>K</Kbd>
          </Entry>
          <Entry name={t('common.shortcuts.open')}>
            <Kbd>{t('common.key.enter')}</Kbd>
          </Entry>
          <Entry name={t('common.shortcuts.undo')}>
            <Kbd>Z</Kbd>
          </Entry>
          <Entry name={t('common.shortcuts')}>
            <Kbd>?</Kbd>
          </Entry>
          {sections.map((path) => (
            <Entry key={path} name={t(SECTIONS[path].label)}>
              <RichText id="common.shortcuts.section" values={{ key: SECTION_KEYS[path] }} tags={{ key: <Kbd /> }} />
            </Entry>
          ))}
        </dl>
        <Switch
          label={t('common.shortcuts.single')}
          description={t('common.shortcuts.single.description')}
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
