import { useEffect } from 'react';

/** The tab says where one is. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Delivery`;
  }, [title]);
}
