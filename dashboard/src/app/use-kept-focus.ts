import { useEffect } from 'react';

/**
 * Moves the focus to the open dialog, or else to the content of the page, when the element that has it disappears, such
 * as a button whose action has made it pointless. The browser would put it at the start of the document.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = document.activeElement;
    const remember = ({ target }: FocusEvent) => {
      last = target as Element;
    };
    const observer = new MutationObserver(() => {
      if (last?.isConnected !== false || document.activeElement !== document.body) return;
      const area = document.querySelector<HTMLElement>('[aria-modal=true]') ?? document.getElementById('content');
      area?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
