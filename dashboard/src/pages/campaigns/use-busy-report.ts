import { useEffect } from 'react';

/** Called with true while a command is pending that replaces what the editor shows, and with false afterwards. */
export type OnBusy = (isBusy: boolean) => void;

/** `onBusy` must be stable. */
export function useBusyReport(isPending: boolean, onBusy: OnBusy | undefined): void {
  useEffect(() => {
    if (!isPending || !onBusy) return;
    onBusy(true);
    return () => onBusy(false);
  }, [isPending, onBusy]);
}
