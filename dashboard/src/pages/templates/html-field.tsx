import { Input, Stack, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';

import { onDemand } from '../../components/on-demand';
import { NotLoaded } from '../../components/states';
import type { HtmlEditorProps } from './html-editor';

/** The editor is loaded after the page. A text field takes its place until then, and if it cannot be loaded. */
const useHtmlEditor = onDemand(() => import('./html-editor'));

/** The value, change handler and error of the form for the field. */
export interface HtmlInputProps extends Pick<HtmlEditorProps, 'value' | 'onChange'> {
  error?: ReactNode;
}

interface Props extends HtmlEditorProps, HtmlInputProps {
  description: string;
}

export function HtmlField({ description, error, ...editor }: Props) {
  const { Loaded: HtmlEditor, isFailed, retry } = useHtmlEditor();
  const { label, value, isReadOnly } = editor;
  return (
    <Input.Wrapper label={label} labelElement="div" description={description} error={error}>
      {HtmlEditor ? (
        <HtmlEditor {...editor} />
      ) : (
        <Stack gap="xs">
          <Textarea
            aria-label={label}
            value={value}
            onChange={(event) => editor.onChange(event.currentTarget.value)}
            readOnly={isReadOnly || !isFailed}
            autosize
            minRows={12}
            maxRows={28}
          />
          {isFailed && <NotLoaded onRetry={retry} />}
        </Stack>
      )}
    </Input.Wrapper>
  );
}
