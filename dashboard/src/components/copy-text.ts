/** Puts the text on the clipboard. Browsers offer their clipboard to pages over https only; the old way is left for http. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) await navigator.clipboard.writeText(text);
  else if (!copySelected(text))
    throw new Error('Your browser does not allow this page to copy. Select the text and copy it yourself.');
}

function copySelected(text: string): boolean {
  const hadFocus = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way over http
  const isCopied = document.execCommand('copy');
  field.remove();
  if (hadFocus instanceof HTMLElement) hadFocus.focus();
  return isCopied;
}
