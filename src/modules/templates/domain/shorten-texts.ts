import type { TemplateSpans } from 'mustache';

/** The text between two tags, before the first or after the last one. */
interface Text {
  /** Its position in the shortened template. */
  start: number;
  /** The length of the shortened text and the original, for the first line, the whole lines after it, and the rest. */
  parts: [shortened: number, original: string][];
}

/** Mustache removes whitespace from lines that contain only sections and comments. */
const isBlank = (text: string): boolean => text.trim() === '';

/**
 * Shortens each text of a template to at most five characters, with the same line breaks and whitespace beside the
 * tags, so that mustache parses it in the same way: it creates a token per character, which takes half a second for
 * 500,000. `restore` puts the texts back into the tokens, whose positions remain those in the shortened template.
 * `originalOf` returns the original position of a tag or of the end.
 */
export function shortenTexts(
  template: string,
  tags: readonly { start: number; end: number }[],
): { short: string; restore: (tokens: TemplateSpans) => void; originalOf: (position: number) => number } {
  const positions = new Map<number, number>();
  const texts: Text[] = [];
  const short: string[] = [];
  let length = 0;
  let from = 0;
  const add = (piece: string): void => {
    short.push(piece);
    length += piece.length;
  };
  for (const { start, end } of [...tags, { start: template.length, end: template.length }]) {
    if (start > from) {
      const text: Text = { start: length, parts: [] };
      for (const [piece, original] of partsOf(template.slice(from, start))) {
        text.parts.push([piece.length, original]);
        add(piece);
      }
      texts.push(text);
    }
    positions.set(length, start);
    add(template.slice(start, end));
    from = end;
  }
  return {
    short: short.join(''),
    restore: (tokens) => {
      restoreTexts(tokens, texts, { next: 0 });
    },
    originalOf: (position) => positions.get(position) ?? template.length,
  };
}

/** The shortened and original first line, whole lines after it, and rest. */
function partsOf(text: string): [shortened: string, original: string][] {
  const first = text.indexOf('\n') + 1;
  const last = text.lastIndexOf('\n') + 1;
  const [line, lines, rest] = [text.slice(0, first), text.slice(first, last), text.slice(last)];
  const parts: [string, string][] = [
    [isBlank(line) ? '\n' : 'x\n', line],
    ['x\n', lines],
    [isBlank(rest) ? ' ' : 'x', rest],
  ];
  return parts.filter(([, original]) => original !== '');
}

/** A token contains a text from its start or its second line up to its end or its last line break. */
function restoreTexts(tokens: TemplateSpans, texts: readonly Text[], at: { next: number }): void {
  for (const token of tokens) {
    const [kind, , start, end, inner] = token;
    if (Array.isArray(inner)) restoreTexts(inner, texts, at);
    if (kind !== 'text') continue;
    while ((texts[at.next + 1]?.start ?? Infinity) <= start) at.next += 1;
    const text = texts[at.next];
    let position = text?.start ?? 0;
    token[1] = '';
    for (const [shortened, original] of text?.parts ?? []) {
      if (position >= start && position < end) token[1] += original;
      position += shortened;
    }
  }
}
