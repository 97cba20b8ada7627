import { Input, Textarea } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';

import type { HtmlEditorProps } from './html-editor';

/** The editor is loaded after the page. Until then, a text field takes its place. */
const HtmlEditor = lazy(() => import('./html-editor'));

interface Props extends HtmlEditorProps {
  description: string;
  error?: ReactNode;
}

export const HtmlField = ({ description, error, ...editor }: Props) => (
  <Input.Wrapper label={editor.label} labelElement="div" description={description} error={error}>
    <Suspense
      fallback={<Textarea aria-label={editor.label} value={editor.value} readOnly autosize minRows={12} maxRows={28} />}
    >
      <HtmlEditor {...editor} />
    </Suspense>
  </Input.Wrapper>
);
