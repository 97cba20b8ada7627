import type { Values } from './template-editor';

const TAG = /\{\{\{?([^{}]*)\}\}/g;
const NAME = /^[^\s/!>=]+$/;

/** The placeholder names in a template, used to prefill variables. The server's own parser decides what is replaced. */
export function namesIn({ subject, html, text }: Values): string[] {
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
