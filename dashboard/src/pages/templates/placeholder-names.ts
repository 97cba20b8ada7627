import type { TemplateValues } from './template-values';

const TAG = /\{\{\{?([^{}]*)\}\}/g;
const NAME = /^[^\s/!>=]+$/;

/** Placeholders that the service fills in. */
const LINKS = ['unsubscribeUrl', 'preferencesUrl'];

type Parts = Pick<TemplateValues, 'subject' | 'html' | 'text'>;

/** The placeholder names in a template, used to prefill variables. The server's own parser decides what is replaced. */
export function placeholderNames({ subject, html, text }: Parts): string[] {
  const names = [subject, html, text].flatMap((part) =>
    [...part.matchAll(TAG)].map(([, tag = '']) =>
      tag
        .trim()
        .replace(/^[#^&]/, '')
        .trim(),
    ),
  );
  return [...new Set(names)].filter((name) => NAME.test(name) && !LINKS.includes(name) && name !== '.').sort();
}

/** The names that the editor offers to insert: those in a template, and those for which there are values. */
export const offeredNames = (parts: Parts, known: readonly string[]): string[] =>
  [...new Set([...placeholderNames(parts), ...known, ...LINKS])].sort();
