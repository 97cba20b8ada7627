import type { TemplateSpans } from 'mustache';

/** A text between two tags, or before the first or after the last one. */
interface Text {
  /** Where it begins in the shortened template. */
  start: number;
  /** Shortened and original lengths: of the first line, of the whole lines after it, and of what follows the last line break. */
  parts: [shortened: number, original: string][];
}

/** Nothing but blanks, which mustache removes together with a line that holds only sections and comments. */
const isBlank = (text: string): boolean => text.trim() === '';

/**
 * A template whose texts are at most five characters long and have the same line breaks and blanks beside the tags, so that
 * mustache reads it alike: it takes a token for each character, half a second for 500,000. `restore` puts the texts back,
 * `originalOf` the place of a tag or of the end; the places in the tokens stay those in the shortened template.
 */
export function shortenTexts(
  template: string,
  tags: readonly { start: number; end: number }[],
): { short: string; restore: (tokens: TemplateSpans) => void; originalOf: (position: number) => number } {
  const places = new Map<number, number>();
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
    places.set(length, start);
    add(template.slice(start, end));
    from = end;
  }
  return {
    short: short.join(''),
    restore: (tokens) => {
      restoreTexts(tokens, texts, { next: 0 });
    },
    originalOf: (position) => places.get(position) ?? template.length,
  };
}

/** What stands for the first line, the whole lines after it, and the rest, beside what it stands for. */
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

/** A token holds a text from its beginning or its second line on, up to its end or its last line break. */
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
