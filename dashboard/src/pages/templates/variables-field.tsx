import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';

import { Panel } from '../../components/panel';
import { parseVariables } from './parse-variables';

interface Props {
  names: readonly string[];
  onChange: (variables: Record<string, unknown>) => void;
}

/** Edits the variables for the preview and the test message. */
export function VariablesField({ names, onChange }: Props) {
  const [json, setJson] = useState('{}');
  const parsed = parseVariables(json);
  const change = (next: string) => {
    setJson(next);
    const variables = parseVariables(next);
    if (variables) onChange(variables);
  };
  const missing = [...new Set(names.map(rootOf))].filter((name) => !(parsed && name in parsed));
  const fillIn = () => {
    const added = Object.fromEntries(missing.map((name) => [name, '']));
    change(JSON.stringify({ ...added, ...parsed }, null, 2));
  };
  return (
    <Panel
      title="Variables"
      description="Values for the preview and the test message, as JSON."
      actions={
        missing.length > 0 &&
        parsed && (
          <Button size="xs" variant="default" onClick={fillIn}>
            Add {missing.length} missing
          </Button>
        )
      }
    >
      <Textarea
        aria-label="Variables"
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={json}
        error={parsed ? undefined : 'This is not a JSON object.'}
        onChange={({ currentTarget: { value } }) => change(value)}
      />
    </Panel>
  );
}

/** `order.number` becomes `order`. */
const rootOf = (name: string): string => name.replace(/\..*/, '');
