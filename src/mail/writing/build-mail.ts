import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import MimeNode from 'nodemailer/lib/mime-node';
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp';

export interface AttachedFile {
  filename: string;
  contentType: string;
  contentId: string | null;
  /** Lines of base64, each of which ends in CRLF. */
  encoded: readonly Buffer[];
}

export interface MailBody {
  /** The text, with CRLF as line ends like `html`. An empty body is left out if there is another. */
  text: string;
  html: string | null;
  attachments: readonly AttachedFile[];
}

/** A node of the MIME tree (RFC 2045, RFC 2046). */
type Part = { headers: string } & (
  { content: string | readonly Buffer[] } | { boundary: string; parts: readonly Part[] }
);

/**
 * Serialises a mail, in buffers that end in CRLF, the first one with all headers of the mail. Those of attachments are
 * not copied. `headers` are the header lines other than those of MIME; `id` is part of the boundaries, so that they are
 * the same for each attempt and in no content. The mail is what nodemailer would build, without its general tree and
 * streams (ADR 3).
 */
export function buildMail(headers: readonly string[], body: MailBody, id: string): [Buffer, ...Buffer[]] {
  const root = treeOf(body, id);
  const pieces: Buffer[] = [];
  let text = [...headers, 'MIME-Version: 1.0', ''].join('\r\n');
  const append = (part: Part): void => {
    text += `${part.headers}\r\n\r\n`;
    if ('parts' in part) {
      for (const child of part.parts) {
        text += `--${part.boundary}\r\n`;
        append(child);
      }
      text += `--${part.boundary}--\r\n`;
    } else if (typeof part.content === 'string') text += `${part.content}\r\n`;
    else {
      pieces.push(Buffer.from(text), ...part.content);
      text = '';
    }
  };
  append(root);
  const [first, ...rest] = text === '' ? pieces : [...pieces, Buffer.from(text)];
  return [first ?? Buffer.alloc(0), ...rest];
}

/** Files that the HTML refers to are beside it; the others are beside the texts (RFC 2387, RFC 2046 §5.1). */
function treeOf({ text, html, attachments }: MailBody, id: string): Part {
  let count = 0;
  const group = (type: string, parts: readonly Part[]): Part => {
    const [only] = parts;
    if (only && parts.length === 1) return only;
    const boundary = `=_${id}.${++count}`;
    return { headers: `Content-Type: multipart/${type};\r\n boundary="${boundary}"`, boundary, parts };
  };
  const filesWhere = (isIncluded: (file: AttachedFile) => boolean) => attachments.filter(isIncluded).map(filePart);
  const isRelated = ({ contentId }: AttachedFile) => Boolean(html) && contentId !== null;
  const texts = [
    ...(text !== '' || !html ? [textPart('plain', text)] : []),
    ...(html ? [group('related; type="text/html"', [textPart('html', html), ...filesWhere(isRelated)])] : []),
  ];
  return group('mixed', [group('alternative', texts), ...filesWhere((file) => !isRelated(file))]);
}

function textPart(subtype: 'plain' | 'html', text: string): Part {
  const { encoding, content } = encodeText(text);
  const type = `Content-Type: text/${subtype}; charset=utf-8`;
  return { headers: `${type}\r\nContent-Transfer-Encoding: ${encoding}`, content };
}

/** The number of characters that are wrapped at a time: nodemailer copies the rest with each line. */
const PIECE = 65_536;
/** Control characters other than white space, and characters beyond ASCII. */
const NOT_7BIT = /[\0-\x08\x0b\x0c\x0e-\x1f\u0080-\uffff]/;
const LONG_LINE = /^.{77,}/m;

/** Chooses quoted-printable for text that stays legible in it, and base64 for other scripts (RFC 2045 §6). */
function encodeText(text: string): { encoding: string; content: string } {
  if (!NOT_7BIT.test(text) && !LONG_LINE.test(text)) return { encoding: '7bit', content: text };
  return isMostlyLatin(text)
    ? { encoding: 'quoted-printable', content: wrapInPieces(encodeQuotedPrintable(text)) }
    : { encoding: 'base64', content: wrapBase64(encodeBase64(text)) };
}

/** Wraps the text in pieces. The last line of a piece, which may continue, begins the next one. */
function wrapInPieces(encoded: string): string {
  let wrapped = '';
  let lastLine = '';
  for (let start = 0; start < encoded.length; start += PIECE) {
    const lines = wrapQuotedPrintable(lastLine + encoded.slice(start, start + PIECE));
    const end = lines.lastIndexOf('\n') + 1;
    wrapped += lines.slice(0, end);
    lastLine = lines.slice(end);
  }
  return wrapped + lastLine;
}

function isMostlyLatin(text: string): boolean {
  let [letters, encoded] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80 || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)) encoded += 1;
    else if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) letters += 1;
  }
  return encoded < letters;
}

/** nodemailer builds the headers, with names by RFC 2231. */
function filePart({ filename, contentType, contentId, encoded }: AttachedFile): Part {
  const node = new MimeNode('multipart/mixed').createChild(contentType, { filename });
  if (contentId !== null) node.setHeader('Content-Id', `<${contentId}>`);
  node.setHeader('Content-Transfer-Encoding', 'base64');
  node.setHeader('Content-Disposition', contentId === null ? 'attachment' : 'inline');
  return { headers: node.buildHeaders(), content: encoded };
}
