/**
 * Parses the URL; null if the text is none. `URL.canParse` is not used: once Node 20 has optimised its caller, it
 * refuses URLs with characters between U+0080 and U+00FF.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
