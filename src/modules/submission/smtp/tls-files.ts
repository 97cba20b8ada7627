import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

/** Polled, because the events of file systems do not reach every container. */
const CHECK_EVERY_MS = 2_000;

export interface KeyPair {
  cert: Buffer;
  key: Buffer;
}

/** The files of a certificate and its key, which a renewal replaces while the service runs. */
export class TlsFiles {
  private readAt = '';
  private timer: NodeJS.Timeout | undefined;
  private fault: string | undefined;

  constructor(private readonly paths: Readonly<Record<keyof KeyPair, string>>) {}

  /** Throws an error that names the files. */
  async read(): Promise<KeyPair> {
    const { cert: certFile, key: keyFile } = this.paths;
    try {
      this.readAt = await this.state();
      const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
      createSecureContext({ cert, key });
      return { cert, key };
    } catch (error) {
      throw new Error(`SMTP_TLS_CERT (${certFile}) and SMTP_TLS_KEY (${keyFile}): ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Checks the files every two seconds. */
  watch(use: (pair: KeyPair) => void, report: (error: Error) => void): void {
    this.timer = setInterval(() => void this.check(use, report), CHECK_EVERY_MS).unref();
  }

  /**
   * Calls `use` if the files have changed, or `report` if they cannot be used, as in the middle of a renewal: once, not
   * each time that nothing has changed.
   */
  async check(use: (pair: KeyPair) => void, report: (error: Error) => void): Promise<void> {
    try {
      const pair = await this.readIfChanged();
      if (pair) use(pair);
      this.fault = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.fault) report(error as Error);
      this.fault = message;
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async readIfChanged(): Promise<KeyPair | null> {
    return (await this.state()) === this.readAt ? null : this.read();
  }

  private async state(): Promise<string> {
    const files = [await stat(this.paths.cert), await stat(this.paths.key)]; // in turn: a fault is always the same one
    return files.map(({ mtimeMs, ino, size }) => `${mtimeMs} ${ino} ${size}`).join(', ');
  }
}
