import { Readable } from 'node:stream';

import { StreamableFile } from '@nestjs/common';

/**
 * A CSV file of these chunks, made as the client takes them. What fails before the first is thrown, so that it is answered
 * with an error; what fails later cuts the connection, so that half a file is not taken for a whole one.
 */
export async function csvDownload(filename: string, chunks: AsyncGenerator<string, void>): Promise<StreamableFile> {
  const first = await chunks.next();
  async function* all(): AsyncGenerator<string, void> {
    if (!first.done) yield first.value;
    yield* chunks;
  }
  return new StreamableFile(Readable.from(all()), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${filename}"`,
  });
}
