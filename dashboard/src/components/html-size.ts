/** Gmail clips longer messages: the rest, with the unsubscribe link, is shown on request only. */
const CLIPPED_ABOVE_BYTES = 102_000;

/** The size of the HTML of a mail in kB, rounded up, and whether Gmail clips it. */
export function htmlSize(html: string): { kilobytes: number; isClipped: boolean } {
  const bytes = new TextEncoder().encode(html).length;
  return { kilobytes: Math.ceil(bytes / 1_000), isClipped: bytes > CLIPPED_ABOVE_BYTES };
}
