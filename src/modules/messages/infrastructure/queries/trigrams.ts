import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';

/** The searched text of rows called `m`, as it is in the trigram index. */
export const SEARCH_TEXT = 'message_search_text(m.recipient, m.sender, m.subject)';

/** A trigram is made of three consecutive letters or digits, ASCII only if the database has no Unicode trigrams. */
export const hasTrigram = (part: string, unicode: boolean): boolean =>
  unicode ? /[\p{L}\p{N}]{3}/u.test(part) : /[a-z0-9]{3}/i.test(part);

/** A search for several terms can use the index if each of them has a trigram. */
export const haveTrigrams = (terms: readonly string[], unicode: boolean): boolean =>
  terms.every((term) => hasTrigram(term, unicode));

@Injectable()
export class Trigrams {
  private unicode: boolean | undefined;

  constructor(private readonly database: Database) {}

  /** Whether trigrams include non-ASCII letters: pg_trgm follows the database's LC_CTYPE, and "C" knows ASCII only. */
  async areUnicode(): Promise<boolean> {
    if (this.unicode === undefined) {
      const [probe] = await this.database.query<{ unicode: boolean }>(
        "SELECT cardinality(show_trgm('привет')) > 0 AS unicode",
      );
      this.unicode = probe?.unicode ?? false;
    }
    return this.unicode;
  }
}
