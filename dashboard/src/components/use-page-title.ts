import { useEffect } from 'react';

/** The name of the product. */
export const PRODUCT = 'Delivery';

/** Sets the title of the browser tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
  }, [title]);
}
