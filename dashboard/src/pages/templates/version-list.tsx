import './version-list.css';

import { NavLink, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { Time } from '../../components/time';
import { t } from '../../texts/text';

interface Props {
  /** Newest first. */
  versions: readonly Schemas['TemplateVersionResponse'][];
  chosen: number;
  onChoose: (version: number) => void;
}

export const VersionList = ({ versions, chosen, onChoose }: Props) => (
  <ul className="version-list" aria-label={t('templates.versions')}>
    {versions.map(({ version, name, subject, savedAt }, i) => (
      <li key={version}>
        <NavLink
          component="button"
          type="button"
          className="nav-entry"
          active={version === chosen}
          aria-current={version === chosen || undefined}
          onClick={() => onChoose(version)}
          label={t(i === 0 ? 'templates.version.current' : 'templates.version', { version })}
          description={
            <>
              <Time value={savedAt} />
              <Text span size="xs" truncate display="block" title={name}>
                {subject}
              </Text>
            </>
          }
        />
      </li>
    ))}
  </ul>
);
