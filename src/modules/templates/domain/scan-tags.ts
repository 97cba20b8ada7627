/** What mustache takes for the kind of a tag; `''` is a plain {{name}}. */
export type Sigil = '' | '#' | '^' | '/' | '&' | '{' | '>' | '=' | '!';

export interface Tag {
  sigil: Sigil;
  name: string;
  /** Where its braces begin. */
  start: number;
  end: number;
}

const OPENING = /\{\{\s*([#^/&{>=!]?)/y;

/** The tags as mustache will read them, in time that grows with the length of the template only. Null: one is not closed. */
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
