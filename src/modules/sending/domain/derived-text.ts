import { randomBytes } from 'node:crypto';

import { type ContentTask, contentThreads } from '../../../concurrency/content-threads.js';
import { deriveText } from '../../../mail/writing/derive-text.js';

/** Words separated by single spaces, without characters that have a meaning in HTML. */
const PLAIN = /^[^\s\p{Cc}&<>"'`=/]+(?: [^\s\p{Cc}&<>"'`=/]+)*$/u;
const URL = /^https?:\/\/[^\s\p{Cc}&<>"'`]+$/u;
/** Far below the length at which a derived text is cut off. */
const MAX_LENGTH = 500_000;
const MARKER_BYTES = 12;

interface Gap {
  name: string;
  isUpperCase: boolean;
}

type Piece = string | Gap;

interface MarkedHtml {
  html: string;
  markers: readonly { name: string; marker: string }[];
}

/**
 * The text part that is derived from HTML with placeholders, with gaps in their places. It saves deriving the text of
 * each message: for a long HTML that takes longer than the rest of its delivery.
 */
export class DerivedText {
  private constructor(private readonly pieces: readonly Piece[]) {}

  /**
   * `render` fills the placeholders. Values that are not empty appear in the text as they are, or in capitals in a
   * heading; so markers show where. Null if the text is too long, or if a tag holds a value: the text of a link depends
   * on whether its URL says the same.
   */
  static async from(
    accountId: string,
    names: readonly string[],
    render: (values: Record<string, string>) => Promise<string | null>,
  ): Promise<DerivedText | null> {
    const markers = names.map((name) => {
      const marker = `m${randomBytes(MARKER_BYTES).toString('hex')}m`;
      return { name, marker: name === UNSUBSCRIBE_URL ? `https://${marker}` : marker };
    });
    const html = (await render(Object.fromEntries(markers.map(({ name, marker }) => [name, marker])))) ?? '';
    const pieces = await contentThreads.run(PIECES, { html, markers }, { accountId, size: html.length });
    return pieces && new DerivedText(pieces);
  }

  /** Null if a value might change the text around it. */
  fill(values: Readonly<Record<string, string>>): string | null {
    for (const [name, value] of Object.entries(values))
      if (!(name === UNSUBSCRIBE_URL ? URL : PLAIN).test(value)) return null;
    return this.pieces
      .map((piece) => {
        if (typeof piece === 'string') return piece;
        const value = values[piece.name] ?? '';
        return piece.isUpperCase ? value.toUpperCase() : value;
      })
      .join('');
  }
}

const UNSUBSCRIBE_URL = 'unsubscribeUrl';

/** Null if the text is too long, or if a tag holds a marker. */
export const PIECES: ContentTask<MarkedHtml, Piece[] | null> = {
  name: 'text pieces',
  subject: 'html',
  run: ({ html, markers }) => {
    const text = deriveText(html);
    const inTags = markers.filter(({ name }) => name !== UNSUBSCRIBE_URL);
    if (text.length > MAX_LENGTH || html.split('>').some((part) => hasAfterTagStart(part, inTags))) return null;
    const gaps = new Map<string, Gap>();
    for (const { name, marker } of markers) {
      gaps.set(marker, { name, isUpperCase: false });
      gaps.set(marker.toUpperCase(), { name, isUpperCase: true });
    }
    const pieces = text.split(new RegExp(`(${[...gaps.keys()].join('|')})`));
    return pieces.map((piece) => gaps.get(piece) ?? piece);
  },
};

function hasAfterTagStart(part: string, markers: MarkedHtml['markers']): boolean {
  const start = part.indexOf('<');
  return start >= 0 && markers.some(({ marker }) => part.includes(marker, start));
}
