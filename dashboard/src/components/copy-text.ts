import { t } from '../texts/text';

/** Copies to the clipboard. The clipboard API exists in secure contexts only; `execCommand` covers plain http. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) await navigator.clipboard.writeText(text);
  else if (!copySelected(text)) throw new Error(t('common.copy.failed'));
}

function copySelected(text: string): boolean {
  const focusedBefore = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way over http
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focusedBefore instanceof HTMLElement) focusedBefore.focus();
  return isCopied;
}
