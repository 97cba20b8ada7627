/** The character that determines the kind of a mustache tag; `''` for a plain {{name}}. */
export type Sigil = '' | '#' | '^' | '/' | '&' | '{' | '>' | '=' | '!';

export interface Tag {
  sigil: Sigil;
  name: string;
  /** The position of the opening braces. */
  start: number;
  end: number;
}

const OPENING = /\{\{\s*([#^/&{>=!]?)/y;

/** Finds the tags that mustache will find, in linear time. Yields null for a tag that is not closed. */
export function* scanTags(template: string): Generator<Tag | null, void> {
  for (let start = template.indexOf('{{'); start >= 0;) {
    OPENING.lastIndex = start;
    const [opening, sigil] = OPENING.exec(template) as unknown as [string, Sigil];
    const closing = sigil === '{' ? '}}}' : '}}';
    const close = template.indexOf(closing, start + opening.length);
    if (close < 0) {
      yield null;
      return;
    }
    const end = close + closing.length;
    yield { sigil, name: template.slice(start + opening.length, close).trim(), start, end };
    start = template.indexOf('{{', end);
  }
}

/** The number of opening braces, which is at least that of tags, as far as one beyond `enough`. */
export function countTags(template: string, enough: number): number {
  let count = 0;
  for (let at = template.indexOf('{{'); at >= 0 && count <= enough; at = template.indexOf('{{', at + 2)) count += 1;
  return count;
}
