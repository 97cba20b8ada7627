import type { TemplateValues } from './template-values';

const TAG = /\{\{\{?([^{}]*)\}\}/g;
const NAME = /^[^\s/!>=]+$/;

/** The placeholder names in a template, used to prefill variables. The server's own parser decides what is replaced. */
export function placeholderNames({ subject, html, text }: TemplateValues): string[] {
  const names = [subject, html, text].flatMap((part) =>
    [...part.matchAll(TAG)].map(([, tag = '']) =>
      tag
        .trim()
        .replace(/^[#^&]/, '')
        .trim(),
    ),
  );
  return [...new Set(names)].filter((name) => NAME.test(name) && name !== 'unsubscribeUrl' && name !== '.').sort();
}
