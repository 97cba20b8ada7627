import { useEffect } from 'react';

/**
 * Returns the focus to the element that opened a dialog. Mantine does so only for dialogs that stay mounted after they
 * close; those that are loaded on demand are unmounted at once.
 */
export function useReturnFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [isOpen]);
}
