const [BLACK, WHITE] = ['#000000', '#ffffff'];

/**
 * Black or white, whichever has more contrast on the color, `#rrggbb`. The contrasts of the two multiply to 21, so the
 * greater one is at least 4.58:1, and text meets the 4.5:1 of WCAG 2.2 AA on any color.
 */
export const readableOn = (color: string): string => (contrast(color, BLACK) > contrast(color, WHITE) ? BLACK : WHITE);

/** The contrast, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The luminance, from 0 to 1: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
