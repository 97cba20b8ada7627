import { Readable } from 'node:stream';

import { applyDecorators, Injectable, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTooManyRequestsResponse } from '@nestjs/swagger';

import { EXPORTS_PER_ACCOUNT } from '../../config/limits.js';
import { ApiErrors } from '../http/api-errors.js';
import { ErrorResponse } from '../http/error.response.js';
import { ReadLimiter } from '../http/read-limiter.js';
import { limitHeapGrowth } from '../memory/heap-growth.js';
import { writeCsv } from './write-csv.js';

interface CsvFile {
  filename: string;
  columns: readonly string[];
  /** A batch is read when the client has received the previous one. */
  batches: AsyncIterable<readonly object[]>;
}

/** Describes the responses of a handler that returns `CsvDownloads.stream`. */
export const ApiCsvDownload = (): MethodDecorator =>
  applyDecorators(
    ApiOkResponse({ content: { 'text/csv': { schema: { type: 'string' } } } }),
    ApiTooManyRequestsResponse({
      type: ErrorResponse,
      description: `${EXPORTS_PER_ACCOUNT} exports of the account are still running`,
    }),
    ApiErrors({ rate_limited: true }),
  );

@Injectable()
export class CsvDownloads {
  constructor(private readonly reads: ReadLimiter) {}

  /**
   * Streams a CSV file as the client reads it. An error before the first batch is thrown and becomes an error response;
   * a later one closes the connection, so that a partial file is not mistaken for a complete one.
   */
  async stream(accountId: string, { filename, columns, batches }: CsvFile): Promise<StreamableFile> {
    const chunks = writeCsv(columns, batches);
    const { read, close: endExport } = this.reads.openExport(accountId);
    const endLimit = limitHeapGrowth();
    const close = () => {
      endExport();
      endLimit();
    };
    try {
      const first = await chunks.next(); // within the permit of the request
      const file = Readable.from(rest(first, () => read(() => chunks.next()))).once('close', close);
      return new StreamableFile(file, {
        type: 'text/csv; charset=utf-8',
        disposition: `attachment; filename="${filename}"`,
      });
    } catch (error) {
      close();
      throw error;
    }
  }
}

async function* rest(
  first: IteratorResult<string, void>,
  next: () => Promise<IteratorResult<string, void>>,
): AsyncGenerator<string, void> {
  for (let chunk = first; !chunk.done; chunk = await next()) yield chunk.value;
}
