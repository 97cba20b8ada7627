import { createParamDecorator, type ExecutionContext, PayloadTooLargeException } from '@nestjs/common';
import busboy from 'busboy';
import type { Request } from 'express';

import { BYTES_PER_MB } from '../../shared/bytes.js';
import { DomainError } from '../../shared/domain-error.js';

const LIMITS = { fields: 10, fieldSize: 10_000, fieldNameSize: 100, files: 1, parts: 12, headerPairs: 50 };

type Store = (bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/**
 * Receives a multipart form with one file, called `file`, of at most the given number of MB. The parameter is a
 * function that streams the file to `store` and resolves with the other fields, in any order, when the form is
 * complete.
 */
export const UploadedForm = createParamDecorator(
  (maxMegabytes: number, context: ExecutionContext) => (store: Store) =>
    receiveForm(context.switchToHttp().getRequest<Request>(), maxMegabytes, store),
);

function receiveForm(request: Request, maxMegabytes: number, store: Store): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const parser = openParser(request, maxMegabytes);
    const fields = new Map<string, string>();
    let stored: Promise<void> = Promise.resolve();
    // Continues reading, so that the response still reaches a client whose form is refused halfway.
    const refuse = (error: Error): void => {
      request.unpipe(parser);
      request.resume();
      parser.destroy(error);
      reject(error);
    };
    const refuseIncomplete = () => {
      if (!request.readableEnded) refuse(DomainError.invalid('The body broke off'));
    };
    parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
      if (valueTruncated || nameTruncated) refuse(DomainError.invalid(`${name} is too long`));
      else if (value.includes('\0')) refuse(DomainError.invalid(`${name} holds a character that cannot be stored`));
      else fields.set(name, value);
    });
    parser.on('file', (name, stream) => {
      stream.on('error', () => undefined); // the reader of the stream gets the error
      if (name !== 'file') {
        refuse(DomainError.invalid(`${name} is not a field that takes a file: call it file`));
        return;
      }
      stream.on('limit', () => {
        refuse(new PayloadTooLargeException(`The file is larger than ${maxMegabytes} MB`));
      });
      stored = store(stream as AsyncIterable<Uint8Array>);
      stored.catch(refuse);
    });
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
      parser.on(limit, () => {
        refuse(DomainError.invalid('The form has more than one file, or too many fields'));
      });
    parser.on('error', (error) => {
      refuse(DomainError.invalid(`The form cannot be read: ${(error as Error).message}`));
    });
    parser.on('close', () => {
      stored.then(() => {
        resolve(fields);
      }, refuse);
    });
    request.once('close', refuseIncomplete);
    if (request.destroyed)
      refuseIncomplete(); // the client left before: there is no further event
    else request.pipe(parser);
  });
}

function openParser(request: Request, maxMegabytes: number): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: { ...LIMITS, fileSize: maxMegabytes * BYTES_PER_MB } });
  } catch (error) {
    request.resume();
    throw DomainError.invalid(`The form cannot be read: ${(error as Error).message}`);
  }
}
