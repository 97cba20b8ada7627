/** Gmail shows the rest of a longer message on request only, and with it the unsubscribe link. */
const CLIPPED_ABOVE_BYTES = 102_000;

/** The size of the HTML of a mail in kB, rounded up, and whether Gmail clips it. */
export function htmlSize(html: string): { kilobytes: number; isClipped: boolean } {
  const bytes = new TextEncoder().encode(html).length;
  return { kilobytes: Math.ceil(bytes / 1_000), isClipped: bytes > CLIPPED_ABOVE_BYTES };
}
