import { Button, Textarea } from '@mantine/core';

import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import { missingNames, parseVariables } from './parse-variables';

interface Props {
  names: readonly string[];
  json: string;
  onChange: (json: string) => void;
}

/** Edits the sample values for the preview and the test message. */
export function VariablesField({ names, json, onChange }: Props) {
  const parsed = parseVariables(json);
  const missing = missingNames(names, parsed ?? {});
  const fillIn = () => {
    const added = Object.fromEntries(missing.map((name) => [name, '']));
    onChange(JSON.stringify({ ...added, ...parsed }, null, 2));
  };
  return (
    <Panel
      title={t('templates.column.variables')}
      description={t('templates.variables.description')}
      actions={
        missing.length > 0 &&
        parsed && (
          <Button size="xs" variant="default" onClick={fillIn}>
            {t('templates.variables.addMissing', { count: missing.length })}
          </Button>
        )
      }
    >
      <Textarea
        aria-label={t('templates.column.variables')}
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={json}
        error={parsed ? undefined : t('common.invalid.json')}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
    </Panel>
  );
}
