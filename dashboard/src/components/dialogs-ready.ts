const waiting: (() => void)[] = [];
let isReady = false;

/** Opens a dialog, as soon as it can be shown: its host is loaded beside the page, and a click may be faster. */
export function openWhenReady(open: () => void): void {
  if (isReady) open();
  else waiting.push(open);
}

export function markDialogsReady(): void {
  isReady = true;
  for (const open of waiting.splice(0)) open();
}
