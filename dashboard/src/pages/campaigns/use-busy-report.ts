import { useEffect } from 'react';

/** Called with true while a pending command will replace the data in the editor, and with false afterwards. */
export type OnBusy = (isBusy: boolean) => void;

/** Reports the pending command to `onBusy`, which must be stable. */
export function useBusyReport(isPending: boolean, onBusy: OnBusy | undefined): void {
  useEffect(() => {
    if (!isPending || !onBusy) return;
    onBusy(true);
    return () => onBusy(false);
  }, [isPending, onBusy]);
}
