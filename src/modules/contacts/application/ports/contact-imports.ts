import type { ContactImport, ImportOptions } from '../../domain/contact-import.js';

/** Imports as those who start and watch them see them. */
export abstract class ContactImports {
  /** Room for a file. Throws conflict where the account has as many imports that are not finished as it may. */
  abstract open(accountId: string, id: string, now: Date): Promise<void>;

  /** The next bytes of the file, from number 0. */
  abstract append(accountId: string, id: string, number: number, bytes: Uint8Array, now: Date): Promise<void>;

  /** The file as far as it is there, in its order. */
  abstract readFile(accountId: string, id: string): AsyncGenerator<Uint8Array, void>;

  /** The file is whole: a worker may take it. */
  abstract queue(accountId: string, id: string, options: ImportOptions): Promise<void>;

  /** Of a file that is refused. */
  abstract discard(accountId: string, id: string): Promise<void>;

  abstract find(accountId: string, id: string): Promise<ContactImport | null>;
}
