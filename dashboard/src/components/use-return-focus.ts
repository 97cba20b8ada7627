import { useEffect } from 'react';

/**
 * Returns the focus to the element that opened a dialog. Mantine does so only for dialogs that stay mounted after they
 * close.
 */
export function useReturnFocus(): void {
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
}
