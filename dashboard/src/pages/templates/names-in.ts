import type { TemplateValues } from './template-values';

const TAG = /\{\{\{?([^{}]*)\}\}/g;
const NAME = /^[^\s/!>=]+$/;

/** The names of placeholders, to begin their values with. What is filled in is the service's word, not this. */
export function namesIn({ subject, html, text }: TemplateValues): string[] {
  const found = [subject, html, text].flatMap((part) =>
    [...part.matchAll(TAG)].map(([, tag = '']) =>
      tag
        .trim()
        .replace(/^[#^&]/, '')
        .trim(),
    ),
  );
  return [...new Set(found)].filter((name) => NAME.test(name) && name !== 'unsubscribeUrl' && name !== '.').sort();
}
