import { createHash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

import { linePieces } from './data-lines.js';

const signAsync = promisify(sign);

/** The key of a domain; its public half is the DNS record of the selector. */
export interface DkimKey {
  domainName: string;
  selector: string;
  privateKey: KeyObject;
}

/**
 * Listed once more than they occur, so that a header added in transit breaks the signature (RFC 6376 §8.15): mail
 * clients may show it instead of ours. RFC 8058 §4 requires that both unsubscribe headers are signed.
 */
const OVERSIGNED_HEADERS = [
  ...['from', 'subject', 'to', 'reply-to', 'list-unsubscribe', 'list-unsubscribe-post'],
  ...['date', 'message-id', 'mime-version', 'content-type'],
];
/** Not oversigned, because relays may add it. */
const SIGNED_HEADERS = ['content-transfer-encoding'];

/** A header section that lacks the signature at its end, and the content to sign. */
export interface UnsignedHeader {
  header: string;
  content: string;
}

const PIECE_BYTES = 131_072;
const END_OF_HEADERS = '\r\n\r\n';
const SIGNATURE_LINE = /.{1,72}/g;

/**
 * A DKIM signature, relaxed/relaxed (RFC 6376), that lacks its value. The lines of the mail must end in CRLF, as those
 * of `composeMail` do. `rest` are the buffers that follow `raw`; if there are any, each buffer must end in CRLF.
 */
export function unsignedHeader(
  raw: Buffer,
  { domainName, selector }: Pick<DkimKey, 'domainName' | 'selector'>,
  rest: readonly Buffer[] = [],
): UnsignedHeader {
  const end = raw.indexOf(END_OF_HEADERS);
  const headers = raw.toString('latin1', 0, end);
  const body = new RelaxedBody();
  for (const part of [...linePieces(raw.subarray(end + END_OF_HEADERS.length), PIECE_BYTES), ...rest]) body.add(part);
  const { names, lines } = selectHeaders(headers);
  const header = [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domainName};`,
    ` s=${selector};`,
    ` h=${names.join(':\r\n ')};`,
    ` bh=${body.digest()};`,
    ' b=',
  ].join('\r\n');
  return { header, content: [...lines, relaxedHeader(header)].join('\r\n') };
}

/** Prepends the header with its signature, which is computed in Node's thread pool. */
export async function signMail(
  raw: Buffer,
  { header, content }: UnsignedHeader,
  { privateKey }: Pick<DkimKey, 'privateKey'>,
): Promise<Buffer> {
  const signature = (await signAsync('sha256', Buffer.from(content, 'latin1'), privateKey)).toString('base64');
  const folded = signature.match(SIGNATURE_LINE)?.join('\r\n ') ?? '';
  return Buffer.concat([Buffer.from(`${header}${folded}\r\n`, 'latin1'), raw]);
}

/** The names for the tag `h`, and the lines to sign; an oversigned name has no line. */
function selectHeaders(headers: string): { names: string[]; lines: string[] } {
  const found = new Map<string, string[]>();
  for (const header of headers.split(/\r\n(?![ \t])/)) {
    const line = relaxedHeader(header);
    const name = line.slice(0, line.indexOf(':'));
    found.set(name, [line, ...(found.get(name) ?? [])]); // several are signed from the last to the first
  }
  const signed = [...SIGNED_HEADERS, ...OVERSIGNED_HEADERS].flatMap((name) => found.get(name) ?? []);
  const names = signed.map((line) => line.slice(0, line.indexOf(':')));
  return { names: [...names, ...OVERSIGNED_HEADERS], lines: signed };
}

/** Header canonicalisation, RFC 6376 §3.4.2. */
function relaxedHeader(header: string): string {
  const colon = header.indexOf(':');
  const value = header
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '');
  return `${header.slice(0, colon).trim().toLowerCase()}:${value}`;
}

/** Hashes a body in its canonical form, RFC 6376 §3.4.4. All parts end in CRLF, unless one is the whole body. */
class RelaxedBody {
  private readonly hash = createHash('sha256');
  private isEmpty = true;
  /** Line ends that are left out unless more text follows. */
  private lineEnds = 0;

  add(part: Buffer): void {
    const text = part
      .toString('latin1')
      .replace(/[ \t]+/g, ' ')
      .replaceAll(' \r\n', '\r\n');
    let end = text.length;
    while (end >= 2 && text.startsWith('\r\n', end - 2)) end -= 2;
    if (end > 0) {
      this.hash.update('\r\n'.repeat(this.lineEnds) + text.slice(0, end), 'latin1');
      this.isEmpty = false;
      this.lineEnds = 0;
    }
    this.lineEnds += (text.length - end) / 2;
  }

  digest(): string {
    if (!this.isEmpty) this.hash.update('\r\n');
    return this.hash.digest('base64');
  }
}
