import { useEffect } from 'react';

/**
 * Moves the focus to the open dialog, or else to the content of the page, when the element that has it disappears, such
 * as a button whose action has made it pointless. The browser would put it at the start of the document. The same
 * goes for a button that its action disables; one that is disabled only meanwhile gets the focus back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = document.activeElement;
    const remember = ({ target }: FocusEvent) => {
      last = target as Element;
    };
    const observer = new MutationObserver((records) => {
      if (!last || document.activeElement !== document.body) return;
      if (last.isConnected) {
        const hasChanged = records.some(({ type, target }) => type === 'attributes' && target === last);
        if (!hasChanged || last.hasAttribute('data-loading')) return;
        if (last instanceof HTMLElement) last.focus({ preventScroll: true }); // no effect while it is disabled
        if (document.activeElement !== document.body) return;
      }
      const area = document.querySelector<HTMLElement>('[aria-modal=true]') ?? document.getElementById('content');
      area?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'data-loading'] });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
