import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';

@Injectable()
export class Trigrams {
  private known: boolean | undefined;

  constructor(private readonly database: Database) {}

  /** Whether they are made of all letters: pg_trgm takes what the database's LC_CTYPE says, and "C" knows ASCII alone. */
  async ofUnicode(): Promise<boolean> {
    if (this.known === undefined) {
      const [probe] = await this.database.query<{ made: boolean }>(
        "SELECT cardinality(show_trgm('привет')) > 0 AS made",
      );
      this.known = probe?.made ?? false;
    }
    return this.known;
  }
}
