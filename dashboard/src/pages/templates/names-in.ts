import type { TemplateValues } from './template-values';

const TAG = /\{\{\{?([^{}]*)\}\}/g;
const NAME = /^[^\s/!>=]+$/;

/** The placeholder names in a template, used to prefill variables. The server's own parser decides what is replaced. */
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
