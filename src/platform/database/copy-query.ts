import { Query } from 'pg';

/** The signature, the flags, and the length of a header extension, which PostgreSQL does not use. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = -1;

/**
 * Reads the rows of a SELECT with COPY, in binary format. Otherwise pg gets bytes as hexadecimal text: with 100 kB that
 * takes five times as long in this process, and four times in the server. COPY takes no parameters. Pass it to
 * `query` of a connection, like pg's own Query.
 */
export class CopyQuery extends Query {
  private fault: Error | null = null;

  /** The fields of a row are valid during the call only; they are null or in the binary format of their type. */
  constructor(
    select: string,
    private readonly onRow: (fields: (Buffer | null)[]) => void,
  ) {
    super(`COPY (${select}) TO STDOUT (FORMAT binary)`);
  }

  /** Throws the error of the callback. Call it once the query has ended. */
  throwFault(): void {
    if (this.fault !== null) throw this.fault;
  }

  /** Called by pg for each row. An error thrown here would end the process. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.fault !== null) return;
    try {
      this.readRows(chunk);
    } catch (error) {
      this.fault = error as Error;
    }
  }

  private readRows(chunk: Buffer): void {
    let at = chunk.subarray(0, HEADER.length).equals(HEADER) ? HEADER.length : 0;
    while (at < chunk.length) {
      const count = chunk.readInt16BE(at);
      at += 2;
      if (count === END) return;
      const fields: (Buffer | null)[] = [];
      for (let i = 0; i < count; i++) {
        const length = chunk.readInt32BE(at);
        at += 4;
        fields.push(length < 0 ? null : chunk.subarray(at, at + length));
        at += Math.max(0, length);
      }
      this.onRow(fields);
    }
  }
}
