import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';

const TYPING_PAUSE_MS = 350;

/** Subject and bodies with placeholders. An empty body counts as none. */
export interface MailParts {
  subject: string;
  html: string;
  text: string;
}

export interface Rendered {
  /** Undefined while the parts are incomplete or have not been rendered yet. */
  mail: Schemas['TemplatePreviewResponse'] | undefined;
  error: Error | null;
  isLoading: boolean;
}

/** Renders edited parts on the server, exactly as a send would, when typing pauses. `variables` must be stable. */
export function useRendered(parts: MailParts, variables: Record<string, unknown>): Rendered {
  const edited = useMemo(
    () => ({ subject: parts.subject, html: parts.html, text: parts.text, variables }),
    [parts.subject, parts.html, parts.text, variables],
  );
  const [draft] = useDebouncedValue(edited, TYPING_PAUSE_MS);
  const { subject, html, text } = draft;
  const isComplete = subject !== '' && (html !== '' || text !== '');
  const { data, error } = useQuery({
    queryKey: ['template-preview', subject, html, text, draft.variables],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/api/templates/preview', {
          body: { subject, html: html || null, text: text || null, variables: draft.variables },
          signal,
        }),
      ),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const isLoading = isComplete && data === undefined && error === null;
  return { mail: isComplete ? data : undefined, error: isComplete ? error : null, isLoading };
}
